[(function_declaration) (secondary_constructor) (lambda_literal) (block) (for_statement)
 (catch_block) (class_declaration) (object_declaration) (when_entry)] @scope
(class_declaration name: (_) @class.name) @class
(object_declaration name: (_) @class.name) @class
(function_declaration (user_type) @class.name . name: (identifier)) @class

(variable_declaration (identifier) @name)
(variable_declaration (identifier) @name . (_) @type)
(property_declaration (variable_declaration (identifier) @name) "=" (_) @value)
(class_parameter (identifier) @name . (_) @type)
(parameter (identifier) @name . (_) @type)
((parameter_modifiers) @_vararg . (parameter (identifier) @name . (_) @item)
  (#match? @_vararg "vararg"))
(for_statement (variable_declaration (identifier) @name) . (_) @each)
(catch_block (identifier) @name . (_) @type)
(call_expression
  (navigation_expression . (_) @entered)
  (annotated_lambda (lambda_literal
    (lambda_parameters . (variable_declaration (identifier) @name)))))

(if_expression
  condition: (is_expression left: (identifier) @name right: (_) @type)
  . (_) @within)
(call_expression
  (navigation_expression . (_) @entered)
  (annotated_lambda (lambda_literal "{" @it) @within))
