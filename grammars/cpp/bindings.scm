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

; Declarations, parameters, fields and loops; a wildcard costs less to prepare than many patterns.
(_ type: (_) @type declarator: [
  (identifier) @name
  (field_identifier) @name
  (reference_declarator (identifier) @name)
  (reference_declarator (field_identifier) @name)
  (_ declarator: (identifier) @name)
  (_ declarator: (field_identifier) @name)
  (_ declarator: (reference_declarator (identifier) @name))
  (_ declarator: (_ declarator: (identifier) @name))
])
(declaration declarator: (init_declarator
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
  ]
  value: (_) @value))
(for_range_loop
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
  ]
  right: (_) @each)
