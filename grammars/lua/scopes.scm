(function_declaration parameters: (parameters ")" @opens)) @function
(function_definition parameters: (parameters ")" @opens)) @function
