(function_definition body: (_ . ["{" "(" "[["] @opens)) @function
