(scoped_use_list path: (_) @import.prefix)

(use_declaration argument: [
  (identifier) @import.module
  (scoped_identifier path: (_) @import.module name: (_) @import.name)
  (use_as_clause path: [
    (identifier) @import.module
    (scoped_identifier path: (_) @import.module name: (_) @import.name)
  ])
  (use_wildcard (_) @import.module) @import.all
] @import)
(use_declaration argument: (use_list (identifier) @import.module @import))
(scoped_use_list list: (use_list (identifier) @import.name @import))
(use_list [
  (self)
  (scoped_identifier path: (_) @import.module name: (_) @import.name)
  (use_as_clause path: [
    (self)
    (identifier) @import.name
    (scoped_identifier path: (_) @import.module name: (_) @import.name)
  ])
  (use_wildcard (_) @import.module) @import.all
  (use_wildcard . "*") @import.all
] @import)
(use_as_clause alias: (identifier) @import.alias)
(extern_crate_declaration name: (_) @import.module) @import
(extern_crate_declaration alias: (_) @import.alias)
(mod_item name: (_) @import.module !body) @import
