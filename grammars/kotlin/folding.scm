[(line_comment) (block_comment)] @comment
(function_body) @body
(secondary_constructor (block) @body)
(anonymous_initializer (block) @body)
(property_declaration (_ (lambda_literal) @body))
(import) @import
(class_body (property_declaration (_) @table .))
