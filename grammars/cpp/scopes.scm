(function_definition body: (compound_statement . "{" @opens)) @function
(lambda_expression body: (compound_statement . "{" @opens)) @function
