-- For `vim.lsp.enable('sidecar')` without `setup()`: the server alone, on Neovim 0.11 and later.
return require('sidecar.server').definition()
