[(line_comment) (block_comment)] @comment
(function_item body: (_) @body)
(closure_expression body: (block) @body)
(macro_rule right: (_) @body)
; Tests speak of what is declared.
(mod_item name: (identifier) @_tests body: (_) @body (#any-of? @_tests "test" "tests"))
[(use_declaration) (extern_crate_declaration)] @import
[(const_item value: (_) @table) (static_item value: (_) @table)]
