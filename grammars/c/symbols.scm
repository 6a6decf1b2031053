(function_definition) @def.function
(declaration) @def.value
(declaration declarator: [
  (function_declarator declarator: (identifier))
  (pointer_declarator declarator: (function_declarator declarator: (identifier)))
  (pointer_declarator declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier))))
]) @def.prototype

[(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_))] @def.struct
(enum_specifier name: (_) body: (_)) @def.enum
(enumerator) @def.constant
(field_declaration) @def.field

(type_definition type: [
  (type_identifier) @base
  (primitive_type)
  (sized_type_specifier)
  (macro_type_specifier)
  (struct_specifier name: (_) @base !body)
  (union_specifier name: (_) @base !body)
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

(preproc_def value: (_)) @def.constant
(preproc_function_def) @def.function
(preproc_function_def value: (_) @body)

(parameter_declaration
  type: (_) @param.type
  declarator: [
    (identifier) @param
    (array_declarator declarator: (identifier) @param)
    (pointer_declarator declarator: (identifier) @param)
    (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @param))
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @param))
  ])
(type_definition type: [
  (struct_specifier name: (_) body: (_))
  (union_specifier name: (_) body: (_))
  (enum_specifier name: (_) body: (_))
]) @wrap
