; Closures without braces have no body to stand in.
(function_item body: (block . "{" @opens)) @function
(closure_expression body: (block . "{" @opens)) @function
