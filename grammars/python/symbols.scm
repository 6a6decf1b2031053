(decorated_definition) @wrap
(function_definition) @def.function
(assignment left: (identifier) @name right: (lambda body: (_) @body)) @def.function
(class_definition) @def.class
(class_definition
  superclasses: (argument_list [(identifier) (attribute) (subscript) (call)] @base))
(block . (expression_statement . (string) @doc))

(typed_parameter . (_) @param type: (type) @param.type)
(typed_default_parameter name: (identifier) @param type: (type) @param.type)

(type_alias_statement left: (type [
  (identifier) @name
  (generic_type . (identifier) @name)
])) @def.type

(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name) @def.field)))
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  (#eq? @_self "self")) @def.field
