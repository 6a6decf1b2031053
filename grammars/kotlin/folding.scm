[(line_comment) (block_comment)] @comment
(function_body) @body
(secondary_constructor (block) @body)
(anonymous_initializer (block) @body)
(property_declaration (_ (lambda_literal) @body))
(import) @import
(source_file (property_declaration (_) @table .))
(class_body (property_declaration (_) @table .))
(source_file [
  (call_expression)
  (if_expression)
  (for_statement)
  (while_statement)
  (when_expression)
] @statement)
