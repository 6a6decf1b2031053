(function_definition body: (compound_statement . "{" @opens)) @function
