(method_declaration body: (block . "{" @opens)) @function
(constructor_declaration body: (constructor_body . "{" @opens)) @function
(compact_constructor_declaration body: (block . "{" @opens)) @function
(lambda_expression body: (block . "{" @opens)) @function
