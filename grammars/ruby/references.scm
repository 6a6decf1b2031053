; A bare name may be a variable. One that stands alone, with more behind it, can only be called.
(call method: [(identifier) (constant)] @ref.call)
(body_statement (identifier) @ref.call . (_))
(block_body (identifier) @ref.call . (_))
(then (identifier) @ref.call . (_))
(program (identifier) @ref.call . (_))
(constant) @ref.any_constant
