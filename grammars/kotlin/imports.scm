(import (qualified_identifier) @import.module) @import
(import (qualified_identifier) . (identifier) @import.alias)
(import "*" @import.all)
