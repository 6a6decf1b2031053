(comment) @comment
(function_declaration body: (_) @body)
(method_declaration body: (_) @body)
(func_literal body: (_) @body)
(import_declaration) @import
(source_file (var_declaration (var_spec value: (_) @table)))
(source_file (var_declaration (var_spec_list (var_spec value: (_) @table))))
(source_file (const_declaration (const_spec value: (_) @table)))
