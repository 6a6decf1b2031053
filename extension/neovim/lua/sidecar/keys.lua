--- The suggested keys. Each does what it did before wherever there is nothing for it to do here,
--- and Tab belongs to completion menus, snippets and indentation first.
local suggestion = require('sidecar.suggestion')

local M = {}

local NAMES = {
  accept = 'Accept the suggestion',
  accept_word = 'Accept the next word of the suggestion',
  accept_line = 'Accept a line of the suggestion',
  next = 'Next suggestion',
  previous = 'Previous suggestion',
  dismiss = 'Dismiss the suggestion',
  trigger = 'Suggest something',
}

---Tell whether Tab would indent: the cursor stands left of where the line's text belongs, or what
---is suggested begins with an indentation of its own.
---@return boolean
function M.indenting()
  local view = suggestion.visible()
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  if not view or vim.api.nvim_get_current_line():sub(1, col):find('%S') then
    return false
  end
  local blanks = view.rest:match('^[ \t]*')
  local step = vim.fn.shiftwidth()
  if blanks:find('\t') or #blanks >= step then
    return true
  end
  local above = vim.fn.prevnonblank(row - 1)
  return above > 0 and vim.fn.virtcol('.') - 1 + #blanks < vim.fn.indent(above) - step
end

---Tell whether Tab means something else at the moment.
---@return boolean
local function taken()
  return vim.fn.pumvisible() == 1
    or (vim.snippet and vim.snippet.active({ direction = 1 }))
    or M.indenting()
end

---Keep what a key did before, and return what to type for that.
---@param action string
---@param lhs string
---@return string
local function before(action, lhs)
  local old = vim.fn.maparg(lhs, 'i', false, true)
  if vim.tbl_isempty(old) or old.buffer == 1 then
    -- Neovim takes an Alt key that is not mapped for Escape and the key, or inserts its name.
    return lhs:find('^<[MA]%-') and '' or lhs
  elseif old.desc == 'sidecar: ' .. NAMES[action] then
    -- Ours, of a `setup` before this one.
    return vim.g['sidecar_before_' .. action] or lhs
  end
  local name = '<Plug>(sidecar-before-' .. action .. ')'
  old.lhs = name
  old.lhsraw = vim.api.nvim_replace_termcodes(name, true, true, true)
  old.lhsrawalt = nil
  vim.fn.mapset('i', false, old)
  return name
end

---Map the keys.
---@param keys sidecar.Keys|false
function M.map(keys)
  for action, lhs in pairs(keys or {}) do
    if lhs and lhs ~= '' then
      local otherwise = before(action, lhs)
      vim.g['sidecar_before_' .. action] = otherwise
      local tab = vim.api.nvim_replace_termcodes(lhs, true, true, true) == '\t'
      vim.keymap.set('i', lhs, function()
        if not (tab and taken()) and require('sidecar')[action]() then
          return ''
        end
        return otherwise
      end, {
        expr = true,
        -- So that `<Plug>` is followed; a key that returns itself is not mapped again.
        remap = true,
        silent = true,
        desc = 'sidecar: ' .. NAMES[action],
      })
    end
  end
end

return M
