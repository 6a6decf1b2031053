(using_directive [
  (identifier)
  (qualified_name)
  (alias_qualified_name)
  (generic_name)
] @import.module . ";") @import
(using_directive !name) @import.all
(using_directive name: (identifier) @import.alias)
