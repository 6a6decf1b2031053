(comment) @comment
(function_definition body: (_) @body)
(method_declaration body: (_) @body)
(anonymous_function body: (_) @body)
(property_hook body: (_) @body)
[(namespace_use_declaration) (require_expression) (require_once_expression)
 (include_expression) (include_once_expression)] @import
(program [
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
] @statement)
[(function_definition) (class_declaration) (interface_declaration) (trait_declaration)] @keep
(program (expression_statement (assignment_expression) @keep))
(program (expression_statement (function_call_expression
  function: (name) @_define
  (#eq? @_define "define")) @keep))
(program (return_statement (array_creation_expression) @keep))
(program (expression_statement (assignment_expression right: (_) @table)))
(program (return_statement (_) @table))
(const_element (_) @table .)
(property_element default_value: (_) @table)
