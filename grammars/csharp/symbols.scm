[(namespace_declaration) (file_scoped_namespace_declaration)] @def.module
[(class_declaration) (record_declaration)] @def.class
(struct_declaration) @def.struct
(record_declaration "struct") @def.struct
(interface_declaration) @def.interface
(enum_declaration) @def.enum
(enum_member_declaration) @def.field
(delegate_declaration) @def.type
(base_list [
  (identifier)
  (qualified_name)
  (alias_qualified_name)
  (generic_name)
  (predefined_type)
] @base)
(primary_constructor_base_type type: (_) @base)
(record_declaration (parameter_list (parameter) @def.field))

[(method_declaration) (constructor_declaration) (destructor_declaration)] @def.method
(destructor_declaration "~" @name.prefix)
(method_declaration returns: (_) @type)
(constructor_declaration (constructor_initializer) @body)
(operator_declaration "operator" @name.prefix operator: _ @name) @def.method
(conversion_operator_declaration "operator" @name.prefix type: (_) @name) @def.method
(local_function_statement) @def.function

(field_declaration (variable_declaration
  type: (_) @type
  (variable_declarator name: (identifier) @name))) @def.field
(field_declaration (modifier "const")) @def.constant
(field_declaration (modifier "static") (modifier "readonly")) @def.constant
(event_field_declaration (variable_declaration
  type: (_) @type
  (variable_declarator name: (identifier) @name))) @def.field
(property_declaration) @def.field
(property_declaration [accessors: (_) value: (arrow_expression_clause)] @body)
(event_declaration) @def.field
(event_declaration accessors: (_) @body)
(indexer_declaration "this" @name) @def.field
(indexer_declaration [accessors: (_) value: (_)] @body)

(parameter type: (_) @param.type name: (identifier) @param)
(parameter_list type: (_) @param.type name: (identifier) @param)
