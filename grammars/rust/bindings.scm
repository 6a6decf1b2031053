[(function_item) (closure_expression) (block) (for_expression) (if_expression)
 (while_expression) (match_arm) (impl_item) (trait_item) (mod_item)] @scope
(impl_item type: (_) @class.name) @class @closed
(trait_item name: (_) @class.name) @class @closed

(let_declaration pattern: (identifier) @name)
(let_declaration pattern: (identifier) @name type: (_) @type)
(let_declaration pattern: (identifier) @name value: (_) @value)
(let_declaration pattern: (tuple_pattern (identifier) @name))
(let_declaration pattern: (tuple_pattern . (identifier) @name) value: (_) @first)
(let_declaration
  pattern: (tuple_struct_pattern type: (_) @_some . (identifier) @name)
  value: (_) @value
  (#any-of? @_some "Some" "Ok"))
(let_condition
  pattern: (tuple_struct_pattern type: (_) @_some . (identifier) @name)
  value: (_) @value
  (#any-of? @_some "Some" "Ok"))
(match_expression
  value: (_) @value
  body: (match_block (match_arm pattern: (match_pattern
    (tuple_struct_pattern type: (_) @_some . (identifier) @name))))
  (#any-of? @_some "Some" "Ok"))
(match_pattern (tuple_struct_pattern type: (_) (identifier) @name))
(parameter pattern: (identifier) @name type: (_) @type)
(closure_parameters (identifier) @name)
(call_expression
  function: (field_expression value: (_) @each)
  arguments: (arguments . (closure_expression
    parameters: (closure_parameters . (identifier) @name))))
(for_expression pattern: (identifier) @name value: (_) @each)
(static_item name: (identifier) @name type: (_) @type)
(const_item name: (identifier) @name type: (_) @type)
