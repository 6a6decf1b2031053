; What JavaScript and TypeScript have in common.
(export_statement) @wrap

[(function_declaration) (generator_function_declaration)] @def.function
(class_declaration) @def.class
(method_definition) @def.method

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @def.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @def.class
(pair
  key: (property_identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @def.method
(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @def.function
(assignment_expression
  left: (member_expression
    object: (member_expression
      object: (identifier) @owner
      property: (property_identifier) @_prototype)
    (#eq? @_prototype "prototype"))) @def.function

(program [
  (lexical_declaration (variable_declarator name: (identifier) @name) @def.value)
  (variable_declaration (variable_declarator name: (identifier) @name) @def.value)
  (export_statement
    (lexical_declaration (variable_declarator name: (identifier) @name) @def.value))
  (export_statement
    (variable_declaration (variable_declarator name: (identifier) @name) @def.value))
])
(assignment_expression
  left: (member_expression object: (this) property: [
    (property_identifier)
    (private_property_identifier)
  ] @name)) @def.field
