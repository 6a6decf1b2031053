(namespace_use_declaration) @import
(namespace_use_declaration (namespace_use_clause . [(name) (qualified_name)] @import.module))
(namespace_use_declaration (namespace_name) @import.module)
(namespace_use_group (namespace_use_clause . [(name) (qualified_name)] @import.name))
(namespace_use_clause alias: (_) @import.alias)

; Of a path that is put together, the last piece tells the file.
[
  (include_expression)
  (include_once_expression)
  (require_expression)
  (require_once_expression)
] @import
(include_expression [
  (_ (string_content) @import.module .)
  (binary_expression right: (_ (string_content) @import.module .))
  (parenthesized_expression (_ (string_content) @import.module .))
  (parenthesized_expression (binary_expression right: (_ (string_content) @import.module .)))
])
(include_once_expression [
  (_ (string_content) @import.module .)
  (binary_expression right: (_ (string_content) @import.module .))
  (parenthesized_expression (_ (string_content) @import.module .))
  (parenthesized_expression (binary_expression right: (_ (string_content) @import.module .)))
])
(require_expression [
  (_ (string_content) @import.module .)
  (binary_expression right: (_ (string_content) @import.module .))
  (parenthesized_expression (_ (string_content) @import.module .))
  (parenthesized_expression (binary_expression right: (_ (string_content) @import.module .)))
])
(require_once_expression [
  (_ (string_content) @import.module .)
  (binary_expression right: (_ (string_content) @import.module .))
  (parenthesized_expression (_ (string_content) @import.module .))
  (parenthesized_expression (binary_expression right: (_ (string_content) @import.module .)))
])
