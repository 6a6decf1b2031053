(preproc_include path: [
  (system_lib_string) @import.module
  (string_literal (string_content) @import.module)
]) @import
