(module . (comment)* . (expression_statement . (string) @docstring))
[
  (expression_statement [(call) (await) (comparison_operator) (yield)])
  (if_statement)
  (for_statement)
  (while_statement)
  (with_statement)
  (try_statement)
  (match_statement)
  (assert_statement)
  (delete_statement)
  (raise_statement)
] @statement
(if_statement (block (expression_statement (assignment)) @keep))
(if_statement (_ (block (expression_statement (assignment)) @keep)))
(try_statement (block (expression_statement (assignment)) @keep))
; What a script does is no declaration, whatever it assigns.
(if_statement
  condition: (comparison_operator . (identifier) @_name)
  (#eq? @_name "__name__")) @gone
(expression_statement (assignment right: (_) @literal))
(expression_statement (augmented_assignment right: (_) @literal))
