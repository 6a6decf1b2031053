(variable_declaration (assignment_statement (expression_list
  value: (function_call name: (identifier) @_require))) (#eq? @_require "require")) @import
[
  (function_call)
  (if_statement)
  (for_statement)
  (while_statement)
  (repeat_statement)
  (do_statement)
] @statement
(assignment_statement (expression_list value: (_) @table))
(variable_declaration (assignment_statement (expression_list value: (_) @table)))
