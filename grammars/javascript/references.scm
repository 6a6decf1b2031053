(class_heritage (identifier) @ref.type)
