(call_expression function: (identifier) @ref.call)
(field_expression field: (field_identifier) @ref.member)
(type_identifier) @ref.any_type
