[(function_declaration) (function_definition) (for_statement) (block)] @scope
(function_declaration name: (method_index_expression table: (_) @class.name)) @class @closed

(assignment_statement (variable_list . name: (identifier) @name))
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (_) @first))
(parameters name: (identifier) @name)
(for_generic_clause (variable_list name: (identifier) @name))
(for_numeric_clause name: (identifier) @name)
