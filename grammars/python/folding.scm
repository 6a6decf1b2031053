; A module says what it declares in definitions, assignments and imports; the rest runs.
(comment) @comment
(function_definition body: (block) @body)
(block . (expression_statement . (string) @docstring))
(module . (comment)* . (expression_statement . (string) @docstring))

[(import_statement) (import_from_statement) (future_import_statement)] @import
(module [
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
] @statement)
[(class_definition) (function_definition)] @keep
(module (if_statement (block (expression_statement (assignment)) @keep)))
(module (if_statement (_ (block (expression_statement (assignment)) @keep))))
(module (try_statement (block (expression_statement (assignment)) @keep)))
; What a script does is no declaration, whatever it assigns.
(module (if_statement
  condition: (comparison_operator . (identifier) @_name)
  consequence: (block) @body
  (#eq? @_name "__name__")))

(module (expression_statement (assignment right: (_) @literal)))
(module (expression_statement (augmented_assignment right: (_) @literal)))
(class_definition body: (block (expression_statement (assignment right: (_) @literal))))
