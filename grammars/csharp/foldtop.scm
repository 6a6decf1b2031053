(global_statement) @statement
