(function_definition) @def.function
(method_declaration) @def.method
(class_declaration) @def.class
(trait_declaration) @def.class
(interface_declaration) @def.interface
(enum_declaration) @def.enum
(namespace_definition name: (_)) @def.module
(base_clause (_) @base)
(class_interface_clause (_) @base)
(use_declaration [(name) (qualified_name)] @base)
; Members of a class without a name are nobody's, so it takes the name of what holds it.
(assignment_expression
  left: (variable_name (name) @name)
  right: (object_creation_expression (anonymous_class body: (_) @body))) @def.class

(const_declaration (const_element . (name) @name) @def.constant)
(expression_statement (function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @def.constant)
(enum_case) @def.field
(property_declaration (property_element name: (variable_name (name) @name))) @def.field
(property_promotion_parameter name: (variable_name (name) @name)) @def.field
(program (expression_statement
  (assignment_expression left: (variable_name (name) @name)) @def.value))
(assignment_expression
  left: (variable_name (name) @name)
  right: [
    (anonymous_function body: (_) @body)
    (arrow_function body: (_) @body)
  ]) @def.function

(simple_parameter type: (_) @param.type name: (variable_name) @param)
(variadic_parameter type: (_) @param.type name: (variable_name) @param)
(property_promotion_parameter type: (_) @param.type name: (variable_name) @param)
