(macro_invocation (token_tree) @literal)
