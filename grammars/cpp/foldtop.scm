(declaration (init_declarator value: (_) @table))
(preproc_ifdef (declaration (init_declarator value: (_) @table)))
(preproc_if (declaration (init_declarator value: (_) @table)))
[(if_statement) (for_statement) (while_statement)] @statement
