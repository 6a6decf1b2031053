(formal_parameters (identifier) @name)
(formal_parameters (assignment_pattern left: (identifier) @name))
(formal_parameters (assignment_pattern left: (identifier) @name right: (_) @value))
(formal_parameters (rest_pattern (identifier) @name))
(formal_parameters (object_pattern (shorthand_property_identifier_pattern) @name))
(call_expression
  function: (member_expression object: (_) @each)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (identifier) @name))))
