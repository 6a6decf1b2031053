(function_definition body: (compound_statement . "{" @opens)) @function
(method_declaration body: (compound_statement . "{" @opens)) @function
(anonymous_function body: (compound_statement . "{" @opens)) @function
