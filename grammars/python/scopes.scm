; A function's body begins after the colon, and after its docstring when it has one.
(function_definition
  ":" @opens
  body: (block . (expression_statement (string) @docstring)?)) @function
