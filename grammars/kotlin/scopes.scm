; Expression bodies have no lines to stand in.
(function_declaration (function_body (block . "{" @opens))) @function
(secondary_constructor (block . "{" @opens)) @function
(anonymous_function (function_body (block . "{" @opens))) @function
(getter (function_body (block . "{" @opens))) @function
(setter (function_body (block . "{" @opens))) @function
