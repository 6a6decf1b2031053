(comment) @comment
(function_definition body: (_) @body)
(preproc_include) @import
(preproc_def value: (_) @literal)
(preproc_function_def value: (_) @literal)
