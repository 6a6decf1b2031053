(template_declaration) @wrap
(namespace_definition) @def.module

(function_definition) @def.function
(function_definition (field_initializer_list) @body)
(declaration) @def.value
(declaration declarator: [
  (function_declarator declarator: [
    (identifier)
    (qualified_identifier)
    (destructor_name)
    (operator_name)
    (template_function)
  ])
  (operator_cast)
  (pointer_declarator declarator: (function_declarator))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator)))
  (reference_declarator (function_declarator))
]) @def.prototype
(function_declarator (trailing_return_type (type_descriptor) @type))
(_ declarator: (qualified_identifier
  scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)]
  name: [(identifier) (destructor_name) (operator_name) (operator_cast)]))
(_ declarator: (qualified_identifier name: (qualified_identifier
  scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)]
  name: [(identifier) (destructor_name) (operator_name) (operator_cast)])))
(_ declarator: (qualified_identifier name: (qualified_identifier name: (qualified_identifier
  scope: [(namespace_identifier) @owner (template_type name: (type_identifier) @owner)]
  name: [(identifier) (destructor_name) (operator_name) (operator_cast)]))))

(class_specifier body: (_)) @def.class
[(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_))] @def.struct
(class_specifier name: (template_type name: (_) @name) body: (_))
(struct_specifier name: (template_type name: (_) @name) body: (_))
(class_specifier name: (qualified_identifier scope: (_) @owner name: (_) @name) body: (_))
(struct_specifier name: (qualified_identifier scope: (_) @owner name: (_) @name) body: (_))
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
(field_declaration) @def.field
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier))
  (function_declarator declarator: (operator_name))
  (pointer_declarator declarator: (function_declarator))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator)))
  (reference_declarator (function_declarator))
]) @def.method

(enum_specifier name: (_) body: (_)) @def.enum
(enumerator) @def.constant
(concept_definition) @def.type
(alias_declaration type: (type_descriptor type: (_) @base)) @def.type
(type_definition type: [
  (type_identifier) @base
  (qualified_identifier) @base
  (template_type) @base
  (dependent_type)
  (decltype)
  (primitive_type)
  (sized_type_specifier)
  (struct_specifier name: (_) @base !body)
  (union_specifier name: (_) @base !body)
  (class_specifier name: (_) @base !body)
  (enum_specifier name: (_) @base !body)
]) @def.type
(type_definition type: [
  (struct_specifier !name body: (_) @body)
  (union_specifier !name body: (_) @body)
]) @def.struct
(type_definition type: (enum_specifier !name body: (_) @body)) @def.enum
(type_definition
  type: [
    (struct_specifier name: (_) body: (_))
    (union_specifier name: (_) body: (_))
    (enum_specifier name: (_) body: (_))
  ]
  declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
  ] @def.alias)
(type_definition type: [
  (struct_specifier name: (_) body: (_))
  (union_specifier name: (_) body: (_))
  (enum_specifier name: (_) body: (_))
]) @wrap

(preproc_def value: (_)) @def.constant
(preproc_function_def) @def.function
(preproc_function_def value: (_) @body)

(parameter_declaration
  type: (_) @param.type
  declarator: [
    (identifier) @param
    (array_declarator declarator: (identifier) @param)
    (reference_declarator (identifier) @param)
    (pointer_declarator declarator: (identifier) @param)
    (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @param))
    (reference_declarator (pointer_declarator declarator: (identifier) @param))
    (variadic_declarator (identifier) @param)
    (reference_declarator (variadic_declarator (identifier) @param))
  ])
(optional_parameter_declaration
  type: (_) @param.type
  declarator: [
    (identifier) @param
    (reference_declarator (identifier) @param)
    (pointer_declarator declarator: (identifier) @param)
  ])
