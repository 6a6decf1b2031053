(ambient_declaration) @wrap

(abstract_class_declaration) @def.class
(class_heritage (extends_clause value: (_) @base))
(class_heritage (implements_clause (_) @base))
(public_field_definition name: (_) @name) @def.field
(public_field_definition
  name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method
(required_parameter
  [(accessibility_modifier) (override_modifier) "readonly"]
  pattern: (identifier) @name) @def.field
(optional_parameter
  [(accessibility_modifier) (override_modifier) "readonly"]
  pattern: (identifier) @name) @def.field

(interface_declaration) @def.interface
(extends_type_clause type: (_) @base)
(type_alias_declaration) @def.type
(enum_declaration) @def.enum
(enum_body name: (property_identifier) @name @def.field)
(enum_assignment name: (property_identifier) @name) @def.field
(internal_module) @def.module
(module) @def.module
[(abstract_method_signature) (method_signature)] @def.method
(construct_signature "new" @name) @def.method
(property_signature) @def.field
(function_signature) @def.function
(internal_module body: (statement_block (export_statement
  (lexical_declaration (variable_declarator name: (identifier) @name) @def.value))))
(program (ambient_declaration
  (lexical_declaration (variable_declarator name: (identifier) @name) @def.value)))
(program (ambient_declaration
  (variable_declaration (variable_declarator name: (identifier) @name) @def.value)))

(required_parameter pattern: (_) @param type: (type_annotation (_) @param.type))
(optional_parameter pattern: (_) @param type: (type_annotation (_) @param.type))
(variable_declarator value: (arrow_function return_type: (type_annotation (_) @type)))

(variable_declarator
  name: (identifier) @name
  value: [(as_expression (object)) (satisfies_expression (object))]) @def.record
