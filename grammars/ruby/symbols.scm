; A bare `def` is a function, and a method in whatever Ruby opens: classes, modules, `class << self`.
(method) @def.function
(method !body "end" @body)
(body_statement (method) @def.method)
(argument_list (method) @def.method)
(singleton_method) @def.method
(singleton_method object: [(constant) @owner (scope_resolution name: (constant) @owner)])
(singleton_method !body "end" @body)

(module) @def.module
(module !body "end" @body)
(class) @def.class
(class !body "end" @body)
; `class A::B`
(_ name: (scope_resolution
  scope: [
    (constant) @owner
    (scope_resolution name: (constant) @owner)
  ]
  name: (constant) @name))
(superclass (_) @base)
(body_statement (call
  !receiver
  method: (identifier) @_mixes
  arguments: (argument_list [(constant) (scope_resolution)] @base)
  (#any-of? @_mixes "include" "extend" "prepend")))

(assignment left: (constant) @name) @def.constant
(assignment left: (left_assignment_list (constant) @name)) @def.constant
(assignment left: (scope_resolution
  scope: [
    (constant) @owner
    (scope_resolution name: (constant) @owner)
  ]
  name: (constant) @name)) @def.constant
(assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    arguments: (argument_list [(constant) (scope_resolution)] @base)?
    block: (_)? @body)
  (#any-of? @_maker "Class" "Module")
  (#eq? @_new "new")) @def.class
(assignment
  left: (constant)
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    arguments: (argument_list (simple_symbol) @name @def.field)
    block: (_)? @body)
  (#any-of? @_maker "Struct" "Data")
  (#any-of? @_new "new" "define")) @def.struct

(call
  !receiver
  method: (identifier) @_attribute
  arguments: (argument_list [(simple_symbol) (string)] @name)
  (#any-of? @_attribute
    "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "cattr_reader"
    "mattr_accessor" "mattr_reader" "class_attribute")) @def.field
(assignment left: [(instance_variable) (class_variable)] @name) @def.field
(operator_assignment left: [(instance_variable) (class_variable)] @name) @def.field
(assignment left: (left_assignment_list (instance_variable) @name)) @def.field

(call
  !receiver
  method: (identifier) @_defines
  arguments: (argument_list . [(simple_symbol) (string)] @name)
  block: (_) @body
  (#any-of? @_defines "define_method" "define_singleton_method")) @def.method
(alias name: (_) @name) @def.method
(call
  !receiver
  method: (identifier) @_alias
  arguments: (argument_list . [(simple_symbol) (string)] @name)
  (#eq? @_alias "alias_method")) @def.method
