[(function_item) (function_signature_item)] @def.function
(impl_item body: (declaration_list (function_item) @def.method))
(trait_item body: (declaration_list [(function_item) (function_signature_item)] @def.method))
[(struct_item) (union_item)] @def.struct
(struct_item body: (ordered_field_declaration_list) ";" @body)
(enum_item) @def.enum
(trait_item) @def.interface
(trait_item bounds: (trait_bounds (_) @base))
[(type_item) (associated_type)] @def.type
(mod_item) @def.module
(macro_definition) @def.function
(macro_definition ["(" "{" "["] @body)

(source_file [(const_item) (static_item)] @def.constant)
(declaration_list [(const_item) (static_item)] @def.constant)
(field_declaration) @def.field
(enum_variant) @def.field

(impl_item) @def.extension
(impl_item trait: (_) @base)
(impl_item type: [
  (type_identifier) @owner
  (scoped_type_identifier name: (type_identifier) @owner)
  (generic_type type: (type_identifier) @owner)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @owner))
  (reference_type type: (type_identifier) @owner)
  (reference_type type: (generic_type type: (type_identifier) @owner))
  (primitive_type) @owner
])

(parameter pattern: (_) @param type: (_) @param.type)

; What macros are given is not parsed, but declarations in it are most often meant as such.
(macro_invocation (token_tree "fn" . (identifier) @name @def.function))
(macro_invocation (token_tree ["struct" "union"] . (identifier) @name @def.struct))
(macro_invocation (token_tree "enum" . (identifier) @name @def.enum))
(macro_invocation (token_tree "trait" . (identifier) @name @def.interface))
