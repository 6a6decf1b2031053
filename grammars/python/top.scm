(expression_statement (assignment
  left: [(identifier) @name (pattern_list (identifier) @name)]) @def.value)
(if_statement consequence: (block (expression_statement
  (assignment left: (identifier) @name) @def.value)))
(try_statement body: (block (expression_statement
  (assignment left: (identifier) @name) @def.value)))
