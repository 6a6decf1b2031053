(comment) @comment
(function_definition body: (_) @body)
(function_definition) @keep
