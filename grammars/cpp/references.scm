(call_expression function: [
  (identifier) @ref.call
  (template_function name: (identifier) @ref.call)
  (qualified_identifier name: [
    (identifier) @ref.call
    (template_function name: (identifier) @ref.call)
    (qualified_identifier name: [
      (identifier) @ref.call
      (template_function name: (identifier) @ref.call)
      (qualified_identifier name: (identifier) @ref.call)
    ])
  ])
])
(field_expression field: [
  (field_identifier) @ref.member
  (template_method name: (field_identifier) @ref.call)
])
(type_identifier) @ref.any_type
; A name before two colons is a type where it is written as one.
(qualified_identifier scope: (namespace_identifier) @ref.type (#match? @ref.type "^[A-Z]\\w*[a-z]"))
