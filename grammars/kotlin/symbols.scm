; Companion objects are part of their class: what is in them is called by the name of the class.
(function_declaration) @def.function
(class_body (function_declaration) @def.method)
(function_declaration (function_body) @body)
(function_declaration
  (function_value_parameters)
  . [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type)
(function_declaration
  [
    (user_type (identifier) @owner . (type_arguments)? .)
    (nullable_type (user_type (identifier) @owner . (type_arguments)? .))
    (parenthesized_type (user_type (identifier) @owner . (type_arguments)? .))
  ]
  . "." . name: (_))
(secondary_constructor "constructor" @name) @def.method
(secondary_constructor (block) @body)

(class_declaration) @def.class
(class_declaration "interface") @def.interface
(class_declaration (enum_class_body)) @def.enum
(class_declaration [(class_body) (enum_class_body)] @body)
(object_declaration) @def.class
(object_declaration (class_body) @body)
(companion_object name: (_)) @wrap
(companion_object name: (_) @name @def.class)
(class_declaration (delegation_specifiers (delegation_specifier [
  (user_type) @base
  (constructor_invocation (user_type) @base)
  (explicit_delegation (user_type) @base)
])))
(object_declaration (delegation_specifiers (delegation_specifier [
  (user_type) @base
  (constructor_invocation (user_type) @base)
  (explicit_delegation (user_type) @base)
])))
(type_alias type: (identifier) @name) @def.type

; Its type tells the name from a default value that is a name as well, such as `null`.
(class_parameter ["val" "var"] (identifier) @name . (_) @type) @def.field
(enum_entry . (modifiers)? . (identifier) @name) @def.field
(enum_entry (class_body) @body)
(class_body (property_declaration
  (variable_declaration . (identifier) @name (_)? @type)) @def.field)
(enum_class_body (property_declaration
  (variable_declaration . (identifier) @name (_)? @type)) @def.field)
(source_file (property_declaration
  (variable_declaration . (identifier) @name (_)? @type)) @def.value)
(source_file (property_declaration
  [
    (user_type (identifier) @owner . (type_arguments)? .)
    (nullable_type (user_type (identifier) @owner . (type_arguments)? .))
  ]
  . "." . (variable_declaration)))
(class_body (property_declaration [(getter) (setter)] @body))
(source_file (property_declaration [(getter) (setter)] @body))
(property_declaration
  (modifiers (property_modifier) @_const)
  (#eq? @_const "const")) @def.constant

(function_value_parameters (parameter . (identifier) @param . (_) @param.type))
(class_parameter (identifier) @param . (_) @param.type)

; Annotated, and with nothing behind its name, the grammar takes a class for an expression.
(infix_expression
  . (identifier)
  . (identifier) @_class
  . (identifier) @name
  (#eq? @_class "class")) @def.class
