(call_expression function: (identifier) @ref.call)
(generic_function function: (identifier) @ref.call)
(macro_invocation macro: [
  (identifier) @ref.call
  (scoped_identifier name: (identifier) @ref.call)
])
(token_tree (identifier) @ref.call . [(token_tree . "(") "!"])
(field_expression field: (field_identifier) @ref.member)
(scoped_identifier name: (identifier) @ref.member)
(scoped_identifier path: (identifier) @ref.type (#match? @ref.type "^[A-Z]\\w*[a-z]"))
(type_identifier) @ref.any_type
