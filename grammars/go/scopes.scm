(function_declaration body: (block . "{" @opens)) @function
(method_declaration body: (block . "{" @opens)) @function
(func_literal body: (block . "{" @opens)) @function
