(invocation_expression function: [
  (identifier) @ref.call
  (generic_name . (identifier) @ref.call)
])
(member_access_expression name: [
  (identifier) @ref.member
  (generic_name . (identifier) @ref.call)
])
(member_binding_expression name: [
  (identifier) @ref.member
  (generic_name . (identifier) @ref.call)
])
(object_creation_expression type: [
  (identifier) @ref.call
  (generic_name . (identifier) @ref.call)
  (qualified_name name: (identifier) @ref.call)
])

(_ type: [
  (identifier) @ref.type
  (generic_name . (identifier) @ref.type)
  (qualified_name name: (identifier) @ref.type)
])
(method_declaration returns: [
  (identifier) @ref.type
  (generic_name . (identifier) @ref.type)
  (qualified_name name: (identifier) @ref.type)
])
(type_argument_list [
  (identifier) @ref.type
  (generic_name . (identifier) @ref.type)
  (qualified_name name: (identifier) @ref.type)
])
(base_list [
  (identifier) @ref.type
  (generic_name . (identifier) @ref.type)
  (qualified_name name: (identifier) @ref.type)
])
(attribute name: (identifier) @ref.type)
; A name before a point is a type where it is written as one, though properties are written so too.
(member_access_expression expression: (identifier) @ref.type (#match? @ref.type "^[A-Z]\\w*[a-z]"))
