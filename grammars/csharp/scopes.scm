(method_declaration body: (block . "{" @opens)) @function
(constructor_declaration body: (block . "{" @opens)) @function
(destructor_declaration body: (block . "{" @opens)) @function
(operator_declaration body: (block . "{" @opens)) @function
(conversion_operator_declaration body: (block . "{" @opens)) @function
(local_function_statement body: (block . "{" @opens)) @function
(accessor_declaration body: (block . "{" @opens)) @function
(lambda_expression body: (block . "{" @opens)) @function
(anonymous_method_expression (block . "{" @opens)) @function
