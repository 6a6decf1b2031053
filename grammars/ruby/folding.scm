(comment) @comment
(method body: (_) @body)
(singleton_method body: (_) @body)
(lambda body: (_) @body)
; Blocks of a class or a file: `included do`, `describe "x" do`.
(do_block body: (_) @body)
(program (call
  method: (identifier) @_requires
  (#any-of? @_requires "require" "require_relative" "load" "autoload")) @import)
(program [
  (call)
  (if)
  (unless)
  (if_modifier)
  (unless_modifier)
  (while)
  (until)
  (for)
  (case)
  (begin)
] @statement)
[(class) (module) (method) (singleton_method)] @keep
(assignment left: (constant) @keep)
(program (assignment right: (_) @table))
(body_statement (assignment left: (constant) right: (_) @table))
