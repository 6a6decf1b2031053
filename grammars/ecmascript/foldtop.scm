; A function that is called at once holds the file.
(expression_statement (call_expression
  function: (parenthesized_expression [
    (function_expression body: (_) @open)
    (arrow_function body: (_) @open)
  ])))
(expression_statement (parenthesized_expression (call_expression
  function: [
    (function_expression body: (_) @open)
    (arrow_function body: (_) @open)
  ])))
(expression_statement (unary_expression (call_expression
  function: [
    (function_expression body: (_) @open)
    (arrow_function body: (_) @open)
  ])))
; `define(["a"], function (a) { ... })`
(expression_statement (call_expression
  function: (identifier) @_define
  arguments: (arguments (function_expression body: (_) @open) .)
  (#eq? @_define "define")))
[
  (expression_statement [
    (string) (call_expression) (await_expression) (parenthesized_expression) (unary_expression)
  ])
  (if_statement)
  (for_statement)
  (for_in_statement)
  (while_statement)
  (do_statement)
  (try_statement)
  (switch_statement)
  (statement_block)
] @statement
(lexical_declaration (variable_declarator value: (_) @table))
(variable_declaration (variable_declarator value: (_) @table))
(export_statement (lexical_declaration (variable_declarator value: (_) @table)))
(export_statement value: (_) @table)
(expression_statement (assignment_expression right: (_) @table))
