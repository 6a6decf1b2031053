--- Puts a suggestion, or a part of it, into the buffer: one step of undo of its own, and for the
--- dot command a part of what was inserted.
local server = require('sidecar.server')
local suggestion = require('sidecar.suggestion')
local text = require('sidecar.text')

local M = {}

---@type table<string, fun(rest: string): string>
local PIECES = {
  all = function(rest)
    return rest
  end,
  word = text.word,
  line = text.line,
}

---Return the key that closes a completion menu and leaves the text as it is on the screen.
---@return string
local function closing()
  if vim.fn.pumvisible() == 0 then
    return ''
  end
  local selected = vim.fn.complete_info({ 'selected' }).selected
  local inserted = selected >= 0 and not vim.o.completeopt:find('noinsert')
  return inserted and '<C-y>' or '<C-e>'
end

---Return how many bytes behind the cursor come again in a piece.
---@param view sidecar.View
---@param piece string
---@return integer
local function replaced(view, piece)
  local count = 0
  for index, place in ipairs(view.places) do
    count = place <= #piece and index or count
  end
  return count
end

---Accept: by keys, because only keys can end a step of undo, close a menu and be repeated.
---@param kind 'all'|'word'|'line'
---@return boolean # whether there is something to accept
function M.accept(kind)
  local view = suggestion.visible()
  if not view then
    return false
  end
  local close = closing()
  local keys = close .. '<C-g>u'
  if close == '' then
    local cut = view.cut:sub(1, replaced(view, PIECES[kind](view.rest)))
    keys = keys .. ('<Del>'):rep(vim.fn.strchars(cut))
  end
  keys = keys .. ("<Cmd>lua require('sidecar.accept').now('%s')<CR>"):format(kind)
  -- In front of what was typed meanwhile, and not mapped by anybody.
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), 'in', false)
  return true
end

---Tell the server what was accepted of an item.
---@param view sidecar.View
---@param piece string
local function tell(view, piece)
  local of = view.suggestion
  local client = vim.lsp.get_client_by_id(of.client_id)
  if not client or of.partial then
    return
  end
  if piece == view.rest then
    local command = of.item.command
    if command then
      server.execute(client, command.command, command.arguments)
    end
    return
  end
  local taken = view.typed .. piece
  local units = text.units_of(taken, #taken, 'utf-16')
  if of.item.insertText:find('\r\n', 1, true) then
    units = units + select(2, taken:gsub('\n', ''))
  end
  server.notify(
    of.client_id,
    'textDocument/didPartiallyAcceptCompletion',
    { item = of.item, acceptedLength = units }
  )
end

---Insert; called by the keys of `accept`.
---@param kind 'all'|'word'|'line'
function M.now(kind)
  local view = suggestion.visible()
  if not view then
    return
  end
  local piece = PIECES[kind](view.rest)
  local count = replaced(view, piece)
  if count > 0 then
    local bufnr, row, col = view.suggestion.bufnr, view.row, view.col
    vim.api.nvim_buf_set_text(bufnr, row, col, row, col + count, {})
  end
  if piece == view.rest then
    suggestion.clear()
  end
  -- Unlike `nvim_buf_set_text`, this is repeated by the dot command, and it moves the cursor.
  vim.api.nvim_paste(piece, false, -1)
  tell(view, piece)
  suggestion.refresh()
end

return M
