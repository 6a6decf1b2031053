[(method_declaration) (constructor_declaration) (compact_constructor_declaration)
 (lambda_expression) (block) (for_statement) (enhanced_for_statement)
 (try_with_resources_statement) (catch_clause) (class_body) (interface_body) (enum_body)
 (switch_block_statement_group) (switch_rule)] @scope
(class_declaration name: (_) @class.name) @class
(interface_declaration name: (_) @class.name) @class
(enum_declaration name: (_) @class.name) @class
(record_declaration name: (_) @class.name) @class

(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name))
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_) @value))
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name))
(formal_parameter type: (_) @type name: (identifier) @name)
(spread_parameter (_) @item (variable_declarator name: (identifier) @name))
(enhanced_for_statement type: (_) @type name: (identifier) @name value: (_) @each)
(resource type: (_) @type name: (identifier) @name value: (_) @value)
(catch_formal_parameter (catch_type . (_) @type) name: (identifier) @name)
(instanceof_expression right: (_) @type name: (identifier) @name)
(lambda_expression parameters: (identifier) @name)
(inferred_parameters (identifier) @name)
(method_invocation
  object: (_) @each
  arguments: (argument_list . (lambda_expression parameters: (identifier) @name)))
(method_invocation
  object: (_) @each
  arguments: (argument_list . (lambda_expression
    parameters: (inferred_parameters . (identifier) @name))))
