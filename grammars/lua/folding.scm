(comment) @comment
(function_declaration body: (_) @body)
(function_definition body: (_) @body)
(chunk (variable_declaration (assignment_statement (expression_list
  value: (function_call name: (identifier) @_require))) (#eq? @_require "require")) @import)
(chunk [
  (function_call)
  (if_statement)
  (for_statement)
  (while_statement)
  (repeat_statement)
  (do_statement)
] @statement)
(function_declaration) @keep
(do_statement body: (block (assignment_statement) @keep))
(if_statement consequence: (block (assignment_statement) @keep))
(chunk (assignment_statement (expression_list value: (_) @table)))
(chunk (variable_declaration (assignment_statement (expression_list value: (_) @table))))
