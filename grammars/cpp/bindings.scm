[(function_definition) (compound_statement) (for_statement) (for_range_loop) (if_statement)
 (while_statement) (lambda_expression) (catch_clause) (field_declaration_list)
 (declaration_list)] @scope
(class_specifier name: (_) @class.name body: (_)) @class
(struct_specifier name: (_) @class.name body: (_)) @class
(function_definition declarator: (function_declarator
  declarator: (qualified_identifier scope: (_) @class.name))) @class
(function_definition declarator: (_ declarator: (function_declarator
  declarator: (qualified_identifier scope: (_) @class.name)))) @class
(function_definition declarator: (reference_declarator (function_declarator
  declarator: (qualified_identifier scope: (_) @class.name)))) @class

(declaration type: (_) @type declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (reference_declarator (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: (identifier) @name)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  (init_declarator declarator: (reference_declarator (identifier) @name))
])
(declaration declarator: (init_declarator
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
  ]
  value: (_) @value))
(parameter_declaration type: (_) @type declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (reference_declarator (identifier) @name)
  (array_declarator declarator: (identifier) @name)
])
(optional_parameter_declaration type: (_) @type declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (reference_declarator (identifier) @name)
])
(for_range_loop
  type: (_) @type
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
  ]
  right: (_) @each)
(field_declaration type: (_) @type declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (reference_declarator (field_identifier) @name)
])
