--- When to ask: the autocommands, and what is done at each. Does as little as possible for a key.
local ask = require('sidecar.ask')
local config = require('sidecar.config')
local focus = require('sidecar.focus')
local server = require('sidecar.server')
local suggestion = require('sidecar.suggestion')

local M = {}

--- What was handled last, so that two events of one key are one.
local handled = { bufnr = 0, tick = 0, place = '' }
local enabled = true

---Tell whether suggestions come by themselves in a buffer.
---@param bufnr integer
---@return boolean
function M.enabled(bufnr)
  return enabled and vim.b[bufnr].sidecar_enabled ~= false
end

---Switch suggestions on or off, everywhere or in the current buffer.
---@param wanted boolean?  nil: the other way round
---@param bufnr integer? nil: everywhere
---@return boolean # whether they are on now
function M.enable(wanted, bufnr)
  if bufnr then
    if wanted == nil then
      wanted = vim.b[bufnr].sidecar_enabled == false
    end
    vim.b[bufnr].sidecar_enabled = wanted
  else
    if wanted == nil then
      wanted = not enabled
    end
    enabled = wanted
  end
  if not wanted then
    ask.dismiss()
  end
  return wanted
end

---Take in that the text or the cursor is not what it was.
function M.changed()
  local bufnr = vim.api.nvim_get_current_buf()
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  local place = table.concat(vim.fn.getcurpos(), ' ', 2, 4)
  local old = handled
  if old.bufnr == bufnr and old.tick == tick and old.place == place then
    return
  end
  handled = { bufnr = bufnr, tick = tick, place = place }
  if not ask.inserting() then
    M.left()
    return
  end
  -- First what is known already: typing along needs no answer to be drawn.
  suggestion.refresh()
  if old.bufnr == bufnr and old.tick == tick then
    -- Only the cursor has moved.
    ask.cancel()
    focus.moved()
  end
  if config.get().auto and M.enabled(bufnr) and vim.bo[bufnr].modifiable then
    ask.ask()
  end
end

---Ask once more for the place where the cursor is, if nothing is known for it.
function M.again()
  if ask.inserting() and not suggestion.visible() then
    handled.bufnr = 0
    M.changed()
  end
end

---Take in that nothing is typed here any more.
function M.left()
  ask.cancel()
  suggestion.clear()
end

---Take in that the server knows a buffer now.
---@param client vim.lsp.Client
---@param bufnr integer
function M.attached(client, bufnr)
  if config.get().backend == 'native' then
    require('sidecar.native').attached(client, bufnr)
  end
  if bufnr == vim.api.nvim_get_current_buf() then
    focus.looked()
  end
end

---Listen to what happens.
function M.listen()
  local group = vim.api.nvim_create_augroup('sidecar', {})
  ---@param events string|string[]
  ---@param callback fun(event: table)
  ---@param pattern string?
  local function on(events, callback, pattern)
    vim.api.nvim_create_autocmd(events, { group = group, callback = callback, pattern = pattern })
  end
  on({ 'BufEnter', 'FocusGained' }, focus.looked)
  on('CursorMoved', focus.moved)
  on('BufFilePre', function(event)
    server.renaming(event.buf)
  end)
  on({ 'BufFilePost', 'BufWritePost' }, function(event)
    server.named(event.buf)
  end)
  on('ColorScheme', require('sidecar.ghost').highlights)
  if config.get().backend == 'native' and require('sidecar.native').usable() then
    return
  end
  local function changed()
    if server.client(vim.api.nvim_get_current_buf()) then
      M.changed()
    end
  end
  on({ 'TextChangedI', 'TextChangedP', 'CursorMovedI' }, changed)
  on('InsertEnter', function()
    handled.bufnr = 0
    -- The mode is still the old one.
    vim.schedule(changed)
  end)
  on({ 'InsertLeave', 'BufLeave', 'WinLeave', 'BufReadPost' }, M.left)
  -- Into replace mode and back, and out of insert mode for one command.
  on('ModeChanged', M.left, 'i*:[^i]*')
end

return M
