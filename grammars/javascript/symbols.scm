(class_declaration (class_heritage (_) @base))
(field_definition property: (_) @name) @def.field
(field_definition
  property: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method
