(import_statement source: (string (string_fragment) @import.module)) @import
(import_clause (identifier) @import.default)
(namespace_import) @import.all
(namespace_import (identifier) @import.alias)
(import_specifier name: _ @import.name)
(import_specifier alias: (identifier) @import.alias)

(export_statement source: (string (string_fragment) @import.module)) @import
(export_statement "*" @import.all)
(namespace_export) @import.all
(namespace_export (identifier) @import.alias)
(export_specifier name: _ @import.name)
(export_specifier alias: _ @import.alias)

(call_expression
  function: (import)
  arguments: (arguments . (string (string_fragment) @import.module))) @import
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string (string_fragment) @import.module))
  (#eq? @_require "require")) @import
(variable_declarator
  name: [
    (identifier) @import.alias
    (object_pattern [
      (shorthand_property_identifier_pattern) @import.name
      (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)
    ])
  ]
  value: [
    (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string (string_fragment) @import.module)))
    (member_expression
      object: (call_expression
        function: (identifier) @_require
        arguments: (arguments . (string (string_fragment) @import.module)))
      property: (property_identifier) @import.name)
  ]
  (#eq? @_require "require")) @import
