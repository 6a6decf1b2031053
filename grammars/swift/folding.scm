[(comment) (multiline_comment)] @comment
(function_body) @body
(computed_property) @body
(willset_didset_block) @body
(property_declaration value: (_ (lambda_literal) @body))
(import_declaration) @import
(source_file (property_declaration value: (_) @table))
(class_body (property_declaration value: (_) @table))
(source_file [
  (call_expression)
  (if_statement)
  (for_statement)
  (while_statement)
  (switch_statement)
  (do_statement)
  (guard_statement)
] @statement)
