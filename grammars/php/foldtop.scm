[
  (expression_statement)
  (echo_statement)
  (if_statement)
  (for_statement)
  (foreach_statement)
  (while_statement)
  (switch_statement)
  (try_statement)
  (return_statement)
  (unset_statement)
  (exit_statement)
  (declare_statement)
  (text_interpolation)
] @statement
(expression_statement (assignment_expression) @keep)
(expression_statement (function_call_expression
  function: (name) @_define
  (#eq? @_define "define")) @keep)
(return_statement (array_creation_expression) @keep)
(expression_statement (assignment_expression right: (_) @table))
(return_statement (_) @table)
