(comment) @comment
(function_definition body: (_) @body)
(function_definition (try_statement) @body)
(function_definition (field_initializer_list) @cut)
(lambda_expression body: (_) @body)
(preproc_include) @import
(using_declaration) @import
(preproc_def value: (_) @literal)
(preproc_function_def value: (_) @literal)
(declaration_list (declaration (init_declarator value: (_) @table)))
(field_declaration default_value: (_) @table)
