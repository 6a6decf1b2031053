[(method_declaration) (function_definition) (anonymous_function) (arrow_function)
 (catch_clause)] @scope
(class_declaration name: (_) @class.name) @class @scope @closed
(trait_declaration name: (_) @class.name) @class @scope @closed
(interface_declaration name: (_) @class.name) @class @scope @closed
(enum_declaration name: (_) @class.name) @class @scope @closed

(assignment_expression left: (variable_name) @name)
(assignment_expression left: (variable_name) @name right: (_) @value)
(list_literal (variable_name) @name)
(assignment_expression left: (list_literal . (variable_name) @name) right: (_) @first)
(simple_parameter name: (variable_name) @name)
(simple_parameter type: (_) @type name: (variable_name) @name)
(property_promotion_parameter type: (_) @type name: (variable_name) @name)
(variadic_parameter type: (_) @item name: (variable_name) @name)
(foreach_statement . (_) @entry . (variable_name) @name)
(foreach_statement . (_) @entry . (pair (_) (variable_name) @name))
(catch_clause type: (type_list . (_) @type) name: (variable_name) @name)
(property_declaration type: (_) @type (property_element name: (variable_name) @name))

(if_statement
  condition: (parenthesized_expression (binary_expression
    left: (variable_name) @name
    operator: "instanceof"
    right: (_) @instance))
  body: (_) @within)
