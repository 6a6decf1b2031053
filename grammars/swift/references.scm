(call_expression . (simple_identifier) @ref.call)
(call_expression
  . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @ref.called))
  . (call_suffix . (lambda_literal)))
(navigation_suffix suffix: (simple_identifier) @ref.member)
(prefix_expression operation: "." target: (simple_identifier) @ref.member)
(constructor_expression constructed_type: (user_type (type_identifier) @ref.call . (type_arguments)))
(type_identifier) @ref.any_type
