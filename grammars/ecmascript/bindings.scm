[(function_declaration) (function_expression) (arrow_function) (method_definition)
 (generator_function) (generator_function_declaration) (statement_block) (for_in_statement)
 (for_statement) (catch_clause) (class_static_block)] @scope
(class_declaration name: (_) @class.name) @class @scope @closed
(class name: (_) @class.name) @class @scope @closed

(variable_declarator name: (identifier) @name)
(variable_declarator name: (identifier) @name value: (_) @value)
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name)
  value: (_) @part)
(variable_declarator name: (array_pattern (identifier) @name))
(variable_declarator name: (array_pattern . (identifier) @name) value: (_) @first)
(assignment_expression left: (identifier) @name right: (_) @value)

(arrow_function parameter: (identifier) @name)
(call_expression
  function: (member_expression object: (_) @each)
  arguments: (arguments . (arrow_function parameter: (identifier) @name)))

(for_in_statement left: (identifier) @name)
(for_in_statement left: (identifier) @name operator: "of" right: (_) @each)
(catch_clause parameter: (identifier) @name)

(if_statement
  condition: (parenthesized_expression (binary_expression
    left: (identifier) @name
    operator: "instanceof"
    right: (_) @instance))
  consequence: (_) @within)
