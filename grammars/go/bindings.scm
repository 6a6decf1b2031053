[(function_declaration) (method_declaration) (func_literal) (block) (if_statement) (for_statement)
 (expression_switch_statement) (type_switch_statement) (expression_case) (type_case)
 (default_case) (communication_case)] @scope

(parameter_declaration name: (identifier) @name type: (_) @type)
(variadic_parameter_declaration name: (identifier) @name type: (_) @item)
(var_spec name: (identifier) @name)
(var_spec name: (identifier) @name type: (_) @type)
(var_spec . name: (identifier) @name value: (expression_list . (_) @first))
(const_spec name: (identifier) @name)
(short_var_declaration left: (expression_list (identifier) @name))
(short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list . (_) @first))
(short_var_declaration
  left: (expression_list (_) . (identifier) @name)
  right: (expression_list (_) . (_) @first))
(range_clause left: (expression_list (identifier) @name))
(range_clause left: (expression_list (_) (identifier) @name) right: (_) @entry)
(receive_statement left: (expression_list (identifier) @name))
(type_switch_statement alias: (expression_list (identifier) @name))
