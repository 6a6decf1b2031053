(abstract_class_declaration name: (_) @class.name) @class @scope @closed
(interface_declaration name: (_) @class.name) @class @scope @closed

(variable_declarator name: (identifier) @name type: (type_annotation (_) @type))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name)
  type: (type_annotation (_) @part.type))
(required_parameter pattern: (identifier) @name)
(required_parameter pattern: (identifier) @name value: (_) @value)
(required_parameter pattern: (identifier) @name type: (type_annotation (_) @type))
(optional_parameter pattern: (identifier) @name)
(optional_parameter pattern: (identifier) @name type: (type_annotation (_) @type))
(required_parameter pattern: (rest_pattern (identifier) @name) type: (type_annotation (_) @type))
(required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @name))
(required_parameter
  pattern: (object_pattern (shorthand_property_identifier_pattern) @name)
  type: (type_annotation (_) @part.type))
(call_expression
  function: (member_expression object: (_) @each)
  arguments: (arguments . (arrow_function
    parameters: (formal_parameters . (required_parameter pattern: (identifier) @name)))))
