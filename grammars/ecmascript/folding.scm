[(comment) (html_comment)] @comment
(function_declaration body: (_) @body)
(generator_function_declaration body: (_) @body)
(function_expression body: (_) @body)
(generator_function body: (_) @body)
(arrow_function body: (_) @body)
(method_definition body: (_) @body)
(method_definition
  name: (property_identifier) @_name
  body: (_) @constructor
  (#eq? @_name "constructor"))
(class_static_block body: (_) @body)

(import_statement) @import
[
  (function_declaration)
  (generator_function_declaration)
  (class_declaration)
  (class_body)
] @keep
(class_body (_ value: (_) @table))
