(call_expression function: (identifier) @ref.call)
(selector_expression field: (field_identifier) @ref.member)
(type_identifier) @ref.any_type
