; Expression-bodied arrows have no body to stand in.
(function_declaration body: (statement_block . "{" @opens)) @function
(generator_function_declaration body: (statement_block . "{" @opens)) @function
(function_expression body: (statement_block . "{" @opens)) @function
(generator_function body: (statement_block . "{" @opens)) @function
(arrow_function body: (statement_block . "{" @opens)) @function
(method_definition body: (statement_block . "{" @opens)) @function
