(import_spec path: (_) @import.module) @import
(import_spec name: [(package_identifier) (blank_identifier)] @import.alias)
(import_spec name: (dot) @import.all)
