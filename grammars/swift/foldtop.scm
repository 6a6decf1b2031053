(property_declaration value: (_) @table)
[
  (call_expression)
  (if_statement)
  (for_statement)
  (while_statement)
  (switch_statement)
  (do_statement)
  (guard_statement)
] @statement
