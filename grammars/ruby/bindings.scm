[(method) (singleton_method) (block) (do_block) (lambda)] @scope
(class name: (_) @class.name) @class @scope
(module name: (_) @class.name) @class @scope

(assignment left: [(identifier) (instance_variable) (constant)] @name)
(assignment left: [(identifier) (instance_variable) (constant)] @name right: (_) @value)
(operator_assignment left: [(identifier) (instance_variable)] @name right: (_) @value)
(left_assignment_list (identifier) @name)
(assignment left: (left_assignment_list . (identifier) @name) right: (_) @first)
(method_parameters (identifier) @name)
(optional_parameter name: (identifier) @name)
(optional_parameter name: (identifier) @name value: (_) @value)
(keyword_parameter name: (identifier) @name)
(block_parameters (identifier) @name)
(call receiver: (_) @each block: (_ parameters: (block_parameters . (identifier) @name)))
(for pattern: (identifier) @name value: (in (_) @each))
(rescue
  exceptions: (exceptions . (_) @instance)
  variable: (exception_variable (identifier) @name))
