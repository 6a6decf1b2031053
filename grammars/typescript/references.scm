(type_identifier) @ref.any_type
(extends_clause value: (identifier) @ref.type)
