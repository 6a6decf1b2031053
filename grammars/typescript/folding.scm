[(abstract_class_declaration) (internal_module) (enum_declaration)] @keep
(import_alias) @import
(internal_module body: (statement_block (export_statement
  (lexical_declaration (variable_declarator value: (_) @table)))))
