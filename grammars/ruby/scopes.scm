; A body begins on the line after its head, whose last token is a parameter list or the name.
(method name: (_) @opens !parameters) @function
(method parameters: (_) @opens) @function
(singleton_method name: (_) @opens !parameters) @function
(singleton_method parameters: (_) @opens) @function
