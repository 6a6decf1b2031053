(property_declaration (_) @table .)
[
  (call_expression)
  (if_expression)
  (for_statement)
  (while_statement)
  (when_expression)
] @statement
