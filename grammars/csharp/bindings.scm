[(method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression)
 (block) (for_statement) (foreach_statement) (using_statement) (catch_clause)
 (declaration_list) (accessor_declaration) (switch_section) (property_declaration)] @scope
([
  (class_declaration name: (_) @class.name)
  (struct_declaration name: (_) @class.name)
  (interface_declaration name: (_) @class.name)
  (record_declaration name: (_) @class.name)
]) @class

(variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))
(variable_declaration
  type: (_) @type
  (variable_declarator name: (identifier) @name "=" (_) @value))
(property_declaration type: (_) @type name: (identifier) @name)
(parameter type: (_) @type name: (identifier) @name)
(parameter_list type: (_) @type name: (identifier) @name)
(foreach_statement type: (_) @type left: (identifier) @name right: (_) @each)
(catch_declaration type: (_) @type name: (identifier) @name)
(declaration_pattern type: (_) @type name: (identifier) @name)
(declaration_expression type: (_) @type name: (identifier) @name)
(implicit_parameter) @name
(invocation_expression
  function: (member_access_expression expression: (_) @each)
  arguments: (argument_list . (argument (lambda_expression parameters: [
    (implicit_parameter) @name
    (parameter_list . (parameter !type name: (identifier) @name))
  ]))))
