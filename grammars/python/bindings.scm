[(function_definition) (lambda) (list_comprehension) (generator_expression)
 (set_comprehension) (dictionary_comprehension)] @scope
(class_definition name: (_) @class.name) @class @scope @closed

(assignment left: (identifier) @name)
(assignment left: (identifier) @name type: (_) @type)
(assignment left: (identifier) @name right: (_) @value)
(assignment left: (pattern_list . (identifier) @name) right: (call) @first)
(assignment left: (pattern_list (identifier) @name))
(named_expression name: (identifier) @name value: (_) @value)

(parameters (identifier) @name)
(lambda_parameters (identifier) @name)
(default_parameter name: (identifier) @name)
(default_parameter name: (identifier) @name value: (call) @value)
(typed_parameter (identifier) @name type: (_) @type)
(typed_parameter (list_splat_pattern (identifier) @name) type: (_) @item)
(typed_default_parameter name: (identifier) @name type: (_) @type)

(for_statement left: (identifier) @name right: (_) @each)
(for_statement left: (pattern_list (identifier) @name))
(for_in_clause left: (identifier) @name right: (_) @each)
(for_in_clause left: (pattern_list (identifier) @name))
(for_statement
  left: (pattern_list (_) (identifier) @name .)
  right: (call function: (identifier) @_enumerate arguments: (argument_list . (_) @each))
  (#eq? @_enumerate "enumerate"))
(for_in_clause
  left: (pattern_list (_) (identifier) @name .)
  right: (call function: (identifier) @_enumerate arguments: (argument_list . (_) @each))
  (#eq? @_enumerate "enumerate"))
(for_statement
  left: (pattern_list (_) (identifier) @name .)
  right: (call function: (attribute object: (_) @entry attribute: (identifier) @_items))
  (#eq? @_items "items"))
(for_in_clause
  left: (pattern_list (_) (identifier) @name .)
  right: (call function: (attribute object: (_) @entry attribute: (identifier) @_items))
  (#eq? @_items "items"))

(with_item value: (as_pattern (_) @entered alias: (as_pattern_target (identifier) @name)))
(except_clause (as_pattern (_) @instance alias: (as_pattern_target (identifier) @name)))
(case_clause (case_pattern (as_pattern (case_pattern (class_pattern (dotted_name) @instance)) (identifier) @name)))

(if_statement
  condition: (call
    function: (identifier) @_is
    arguments: (argument_list . (identifier) @name . (identifier) @instance .))
  consequence: (_) @within
  (#eq? @_is "isinstance"))
(assert_statement (call
  function: (identifier) @_is
  arguments: (argument_list . (identifier) @name . (identifier) @instance .))
  (#eq? @_is "isinstance"))
