(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @import.alias)
  (expression_list . value: [
    (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (_) @import.module)))
    (dot_index_expression table: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (_) @import.module))))
    (function_call name: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (_) @import.module))))
  ])
  (#eq? @_require "require"))) @import
(function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (_) @import.module))
  (#eq? @_require "require")) @import
