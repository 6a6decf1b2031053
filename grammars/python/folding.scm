; A module says what it declares in definitions, assignments and imports; the rest runs.
(comment) @comment
(function_definition body: (block) @body)
(function_definition
  name: (identifier) @_name
  body: (block) @constructor
  (#eq? @_name "__init__"))
(block . (expression_statement . (string) @docstring))

[(import_statement) (import_from_statement) (future_import_statement)] @import
[(class_definition) (function_definition)] @keep
(class_definition body: (block (expression_statement (assignment right: (_) @literal))))
