[(line_comment) (block_comment)] @comment
(method_declaration body: (_) @body)
(constructor_declaration body: (_) @body)
(compact_constructor_declaration body: (_) @body)
(lambda_expression body: (block) @body)
(static_initializer (block) @body)
(class_body (block) @body)
(object_creation_expression (class_body) @body)
(enum_constant body: (_) @body)
(import_declaration) @import
(field_declaration (variable_declarator value: (_) @table))
(constant_declaration (variable_declarator value: (_) @table))
