(call_expression function: (identifier) @ref.call)
(new_expression constructor: (identifier) @ref.call)
(member_expression property: [(property_identifier) (private_property_identifier)] @ref.member)
(decorator (identifier) @ref.call)
