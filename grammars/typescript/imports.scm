(import_statement (import_require_clause
  (identifier) @import.alias
  source: (string (string_fragment) @import.module))) @import
