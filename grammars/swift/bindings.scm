[(function_declaration) (init_declaration) (lambda_literal) (class_body) (enum_class_body)
 (protocol_body) (for_statement) (if_statement) (while_statement) (statements)
 (computed_property)] @scope
(class_declaration name: (_) @class.name) @class
(protocol_declaration name: (_) @class.name) @class

(property_declaration name: (pattern bound_identifier: (simple_identifier) @name))
(_ (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @type))
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: (_) @value)
(parameter name: (simple_identifier) @name . name: (_) @type)
(lambda_parameter name: (simple_identifier) @name)
(lambda_parameter name: (simple_identifier) @name . name: (_) @type)
(for_statement
  item: (pattern bound_identifier: (simple_identifier) @name)
  collection: (_) @each)
(_ bound_identifier: (simple_identifier) @name "=" . (_) @value)
(_ bound_identifier: (simple_identifier) @name . (type_annotation (_) @type))
(call_expression
  (navigation_expression target: (_) @each)
  (call_suffix (lambda_literal type: (lambda_function_type
    (lambda_function_type_parameters . (lambda_parameter name: (simple_identifier) @name))))))
(call_expression
  (navigation_expression target: (_) @each)
  (call_suffix (lambda_literal "{" @it) @within))
