(call
  !receiver
  method: (identifier) @_requires
  arguments: (argument_list . (string) @import.module)
  (#any-of? @_requires "require" "require_relative" "load" "require_dependency")) @import
(call
  !receiver
  method: (identifier) @_autoload
  arguments: (argument_list (simple_symbol) . (string) @import.module)
  (#eq? @_autoload "autoload")) @import
