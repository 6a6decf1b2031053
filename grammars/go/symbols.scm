(type_declaration . [(type_spec) (type_alias)] .) @wrap
; The one in brackets stands for itself.
(type_declaration "(" [(type_spec) (type_alias)] @wrap)
(function_declaration) @def.function
(function_declaration result: (_) @type)

(method_declaration) @def.method
(method_declaration result: (_) @type)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @owner
  (pointer_type (type_identifier) @owner)
  (generic_type type: (type_identifier) @owner)
  (pointer_type (generic_type type: (type_identifier) @owner))
])))

[(type_spec) (type_alias)] @def.type
(type_spec type: (struct_type (field_declaration_list) @body)) @def.struct
(type_spec type: (interface_type "{" @body)) @def.interface
(field_declaration name: (field_identifier) @name) @def.field
(field_declaration !name type: (_) @base)
; Of what is one type: `~int | ~string` is a set of them.
(type_spec type: (interface_type
  (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .)))
(method_elem) @def.method
(method_elem result: (_) @type)

; Of names in one field, a query finds the first alone.
((source_file (const_declaration (const_spec (identifier) @name) @def.constant))
  (#not-eq? @name "_"))
((source_file (var_declaration (var_spec name: (identifier) @name) @def.variable))
  (#not-eq? @name "_"))
((source_file (var_declaration (var_spec_list
  (var_spec name: (identifier) @name) @def.variable)))
  (#not-eq? @name "_"))

(parameter_declaration name: (identifier) @param)
(parameter_declaration name: (identifier) type: (_) @param.type)
(variadic_parameter_declaration name: (identifier) @param type: (_) @param.type)
