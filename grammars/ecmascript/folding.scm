[(comment) (html_comment)] @comment
(function_declaration body: (_) @body)
(generator_function_declaration body: (_) @body)
(function_expression body: (_) @body)
(generator_function body: (_) @body)
(arrow_function body: (_) @body)
(method_definition body: (_) @body)
(class_static_block body: (_) @body)

; A function that is called at once holds the file.
(program (expression_statement (call_expression
  function: (parenthesized_expression [
    (function_expression body: (_) @open)
    (arrow_function body: (_) @open)
  ]))))
(program (expression_statement (parenthesized_expression (call_expression
  function: [
    (function_expression body: (_) @open)
    (arrow_function body: (_) @open)
  ]))))
(program (expression_statement (unary_expression (call_expression
  function: [
    (function_expression body: (_) @open)
    (arrow_function body: (_) @open)
  ]))))
; `define(["a"], function (a) { ... })`
(program (expression_statement (call_expression
  function: (identifier) @_define
  arguments: (arguments (function_expression body: (_) @open) .)
  (#eq? @_define "define"))))

(import_statement) @import
(program [
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
] @statement)
[
  (function_declaration)
  (generator_function_declaration)
  (class_declaration)
  (class_body)
] @keep

(program (lexical_declaration (variable_declarator value: (_) @table)))
(program (variable_declaration (variable_declarator value: (_) @table)))
(program (export_statement (lexical_declaration (variable_declarator value: (_) @table))))
(program (export_statement value: (_) @table))
(program (expression_statement (assignment_expression right: (_) @table)))
(class_body (_ value: (_) @table))
