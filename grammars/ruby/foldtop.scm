(call
  method: (identifier) @_requires
  (#any-of? @_requires "require" "require_relative" "load" "autoload")) @import
[
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
] @statement
(assignment right: (_) @table)
