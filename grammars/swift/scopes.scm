; Of functions, initialisers and what else has a body; to look from those downwards takes long.
(function_body . "{" @opens) @function
