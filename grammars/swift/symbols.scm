; `extension` is no declaration: what stands in it belongs to the type.
(function_declaration) @def.function
(class_body (function_declaration) @def.method)
(protocol_function_declaration) @def.method
(init_declaration "init" @name) @def.method
(deinit_declaration "deinit" @name) @def.method
(subscript_declaration "subscript" @name) @def.method
(subscript_declaration (computed_property) @body)
(macro_declaration (simple_identifier) @name) @def.function
(function_declaration "->" . (_) @type)
(protocol_function_declaration "->" . (_) @type)
(subscript_declaration "->" . (_) @type)

(class_declaration declaration_kind: ["class" "actor"]) @def.class
(class_declaration declaration_kind: "struct") @def.struct
(class_declaration declaration_kind: "enum") @def.enum
(protocol_declaration) @def.interface
(class_declaration
  declaration_kind: "extension"
  name: [
    (user_type (type_identifier) @owner . (type_arguments)? .)
    (array_type) @owner
  ]) @def.extension
(inheritance_specifier inherits_from: (_) @base)
[(typealias_declaration) (associatedtype_declaration)] @def.type

(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation (_) @type)?
  computed_value: (_)? @body) @def.field)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation (_) @type)?
  computed_value: (_)? @body) @def.field)
(source_file (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation (_) @type)?
  computed_value: (_)? @body) @def.value)
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation (_) @type)) @def.field
(enum_entry name: (simple_identifier) @name) @def.field

(parameter name: (simple_identifier) @param . (parameter_modifiers)? . name: (_) @param.type)
