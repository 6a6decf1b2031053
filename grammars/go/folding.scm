(comment) @comment
(function_declaration body: (_) @body)
(method_declaration body: (_) @body)
(func_literal body: (_) @body)
(import_declaration) @import
