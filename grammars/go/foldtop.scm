(var_declaration (var_spec value: (_) @table))
(var_declaration (var_spec_list (var_spec value: (_) @table)))
(const_declaration (const_spec value: (_) @table))
