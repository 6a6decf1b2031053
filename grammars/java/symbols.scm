[(class_declaration) (record_declaration)] @def.class
(superclass (_) @base)
(super_interfaces (type_list (_) @base))
[(interface_declaration) (annotation_type_declaration)] @def.interface
(extends_interfaces (type_list (_) @base))
(enum_declaration) @def.enum
(enum_constant) @def.field
(enum_constant body: (_) @body)
[
  (method_declaration)
  (constructor_declaration)
  (compact_constructor_declaration)
  (annotation_type_element_declaration)
] @def.method

(field_declaration declarator: (variable_declarator name: (identifier) @name)) @def.field
(field_declaration (modifiers "static" "final")) @def.constant
(field_declaration (modifiers "final" "static")) @def.constant
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @def.constant
(record_declaration parameters: (formal_parameters (formal_parameter) @def.field))
(record_declaration parameters: (formal_parameters
  (spread_parameter (_) @type . (variable_declarator name: (_) @name)) @def.field))

(method_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @param.type name: (identifier) @param)))
(method_declaration parameters: (formal_parameters
  (spread_parameter (_) @param.type . (variable_declarator name: (_) @param))))
(constructor_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @param.type name: (identifier) @param)))
(constructor_declaration parameters: (formal_parameters
  (spread_parameter (_) @param.type . (variable_declarator name: (_) @param))))
