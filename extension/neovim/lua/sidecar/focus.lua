--- Tells the server where the user is, so that it can have a place ready before the first key.
local server = require('sidecar.server')
local text = require('sidecar.text')

local M = {}

--- Holding a key down moves the cursor faster than anybody needs to know.
local PAUSE_MS = 50

local paused = false
local missed = false

---@param method string
local function tell(method)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = server.client(bufnr)
  if not client then
    return
  end
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_get_current_line()
  server.notify(client.id, method, {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    position = { line = row - 1, character = text.units_of(line, col, client.offset_encoding) },
  })
end

---Take in that another buffer is looked at, or Neovim again.
function M.looked()
  tell('textDocument/didFocus')
end

---Take in that the cursor has moved, and not by typing.
function M.moved()
  if paused then
    missed = true
    return
  end
  paused = true
  tell('sidecar/didMoveCursor')
  vim.defer_fn(function()
    paused = false
    if missed then
      missed = false
      M.moved()
    end
  end, PAUSE_MS)
end

return M
