(comment) @comment
(method body: (_) @body)
(method name: (identifier) @_name body: (_) @constructor (#eq? @_name "initialize"))
(singleton_method body: (_) @body)
(lambda body: (_) @body)
; Blocks of a class or a file: `included do`, `describe "x" do`.
(do_block body: (_) @body)
[(class) (module) (method) (singleton_method)] @keep
(assignment left: (constant) @keep)
(body_statement (assignment left: (constant) right: (_) @table))
