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
  key: [
    (property_identifier) @name
    (computed_property_name) @name
    (string (string_fragment) @name)
  ]
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @def.method
(assignment_expression
  left: [(identifier) @name (member_expression property: (property_identifier) @name)]
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @def.function
; `A.prototype.b = ...` declares a method of A.
(assignment_expression
  left: (member_expression
    object: (member_expression
      object: (identifier) @owner
      property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [
    (arrow_function)
    (function_expression)
    (generator_function)
    (identifier)
    (member_expression)
  ]
  (#eq? @_prototype "prototype")) @def.function
; A name that only the function itself sees, but that it is known by.
(arguments (function_expression name: (identifier)) @def.function)
(return_statement (function_expression name: (identifier)) @def.function)
(pair value: (function_expression name: (identifier)) @def.function)
(assignment_expression right: (function_expression name: (identifier)) @def.function)
(arrow_function body: (function_expression name: (identifier)) @def.function)
(class name: (_)) @def.class

; Objects that are written out hold what elsewhere a class or a namespace would.
(variable_declarator name: (identifier) @name value: (object)) @def.record
((assignment_expression
  left: [(identifier) @name (member_expression property: (property_identifier) @name)]
  right: (object)) @def.record
  (#not-eq? @name "prototype"))
((assignment_expression
  left: (member_expression
    object: [(identifier) @name (member_expression property: (property_identifier) @name)]
    property: (property_identifier) @_prototype)
  right: (object) @body) @def.class
  (#eq? @_prototype "prototype"))
(pair
  key: [
    (property_identifier) @name
    (computed_property_name) @name
    (string (string_fragment) @name)
  ]
  value: (object)) @def.entry

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
