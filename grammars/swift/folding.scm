[(comment) (multiline_comment)] @comment
(function_body) @body
(computed_property) @body
(willset_didset_block) @body
(property_declaration value: (_ (lambda_literal) @body))
(import_declaration) @import
(class_body (property_declaration value: (_) @table))
