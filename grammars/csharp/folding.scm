(comment) @comment
(method_declaration body: (_) @body)
(constructor_declaration body: (_) @body)
(constructor_declaration (constructor_initializer) @cut)
(destructor_declaration body: (_) @body)
(operator_declaration body: (_) @body)
(conversion_operator_declaration body: (_) @body)
(local_function_statement body: (_) @body)
(accessor_declaration body: (_) @body)
(property_declaration value: (arrow_expression_clause) @body)
(indexer_declaration value: (arrow_expression_clause) @body)
(lambda_expression body: (block) @body)
(using_directive) @import
(local_function_statement) @keep
(field_declaration (variable_declaration (variable_declarator (_) @table .)))
(property_declaration value: (_) @table)
(preproc_region) @comment
(preproc_endregion) @comment
