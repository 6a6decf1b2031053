(comment) @comment
(function_definition body: (_) @body)
(method_declaration body: (_) @body)
(anonymous_function body: (_) @body)
(property_hook body: (_) @body)
[(namespace_use_declaration) (require_expression) (require_once_expression)
 (include_expression) (include_once_expression)] @import
[(function_definition) (class_declaration) (interface_declaration) (trait_declaration)] @keep
(const_element (_) @table .)
(property_element default_value: (_) @table)
