(method_invocation name: (identifier) @ref.call)
(object_creation_expression type: [
  (type_identifier) @ref.call
  (scoped_type_identifier (type_identifier) @ref.call .)
  (generic_type . (type_identifier) @ref.call)
])
(method_reference "::" (identifier) @ref.member)
(field_access field: (identifier) @ref.member)
(type_identifier) @ref.type
[(marker_annotation name: (identifier) @ref.type) (annotation name: (identifier) @ref.type)]
; A name before a point is a type where it is written as one.
(method_invocation object: (identifier) @ref.type (#match? @ref.type "^[A-Z]\\w*[a-z]"))
(field_access object: (identifier) @ref.type (#match? @ref.type "^[A-Z]\\w*[a-z]"))
