(comment) @comment
(function_declaration body: (_) @body)
(function_definition body: (_) @body)
(function_declaration) @keep
(do_statement body: (block (assignment_statement) @keep))
(if_statement consequence: (block (assignment_statement) @keep))
