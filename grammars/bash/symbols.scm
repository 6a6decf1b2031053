(function_definition) @def.function

; What is assigned outside of functions, also where that depends on something.
(program (declaration_command (variable_assignment)) @wrap)
(program (if_statement (declaration_command (variable_assignment)) @wrap))
(program (variable_assignment name: (variable_name) @name) @def.value)
(program (variable_assignments (variable_assignment name: (variable_name) @name) @def.value))
(program (if_statement (variable_assignment name: (variable_name) @name) @def.value))
(program (declaration_command (variable_assignment name: (variable_name) @name) @def.value))
(program (if_statement
  (declaration_command (variable_assignment name: (variable_name) @name) @def.value)))
(program (declaration_command
  "readonly"
  (variable_assignment name: (variable_name) @name) @def.constant))
(program (if_statement (declaration_command
  "readonly"
  (variable_assignment name: (variable_name) @name) @def.constant)))
(program (declaration_command
  (word) @_flags
  (variable_assignment name: (variable_name) @name) @def.constant
  (#match? @_flags "^-[a-zA-Z]*r")))
