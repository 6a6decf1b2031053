(comment) @comment
(function_definition body: (_) @body)
(preproc_include) @import
(preproc_def value: (_) @literal)
(preproc_function_def value: (_) @literal)
(translation_unit (declaration (init_declarator value: (_) @table)))
(translation_unit (_ (declaration (init_declarator value: (_) @table))))
(translation_unit [(if_statement) (for_statement) (while_statement)] @statement)
