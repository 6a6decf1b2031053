(function_declaration) @def.function
(function_declaration !body "end" @body)
(function_declaration name: (dot_index_expression
  table: [
    (identifier) @owner
    (dot_index_expression field: (identifier) @owner)
  ]
  field: (identifier) @name))
(function_declaration name: (method_index_expression
  table: [
    (identifier) @owner
    (dot_index_expression field: (identifier) @owner)
  ]
  method: (identifier) @name)) @def.method

; `local` stands outside of what it declares.
(chunk (variable_declaration (assignment_statement)) @wrap)
(variable_declaration
  (assignment_statement (expression_list . value: (function_definition)))) @wrap
; One pattern each: alternatives next to an anchor match what they should not.
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition))) @def.function
(assignment_statement
  (variable_list . name: (dot_index_expression field: (identifier) @name) .)
  (expression_list . value: (function_definition))) @def.function
(assignment_statement
  (variable_list . name: (bracket_index_expression field: (string content: (_) @name)) .)
  (expression_list . value: (function_definition))) @def.function
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (binary_expression right: (function_definition)))) @def.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @owner) .)
  (expression_list . value: (function_definition)))
(assignment_statement
  (variable_list . name: (dot_index_expression
    table: (dot_index_expression field: (identifier) @owner)) .)
  (expression_list . value: (function_definition)))
(assignment_statement
  (variable_list . name: (bracket_index_expression table: (identifier) @owner) .)
  (expression_list . value: (function_definition)))
(assignment_statement
  (variable_list . name: (dot_index_expression field: (identifier) @name) .)
  (expression_list . value: (binary_expression right: (function_definition)))) @def.function
(field name: (identifier) @name value: (function_definition)) @def.function
(field name: (string content: (_) @name) value: (function_definition)) @def.function
(field
  name: (identifier) @name
  value: (binary_expression right: (function_definition))) @def.function
(expression_list . value: (function_definition body: (_) @body))
(expression_list . value: (function_definition !body "end" @body))
(field value: (function_definition body: (_) @body))
(field value: (function_definition !body "end" @body))

(chunk (assignment_statement (variable_list name: (identifier) @name)) @def.value)
(chunk (variable_declaration
  (assignment_statement (variable_list name: (identifier) @name)) @def.value))
(chunk (assignment_statement (variable_list . name: (dot_index_expression
  table: [
    (identifier) @owner
    (dot_index_expression field: (identifier) @owner)
  ]
  field: (identifier) @name) .)) @def.value)
