--- Neovim 0.12 shows inline completions by itself; with `backend = 'native'` it does so here.
--- Written from its documentation, and not run yet: only 0.11 could be.
local M = {}

---@return boolean
function M.usable()
  return vim.lsp.inline_completion ~= nil
end

---Have Neovim ask for a buffer.
---@param client vim.lsp.Client
---@param bufnr integer
function M.attached(client, bufnr)
  if M.usable() then
    vim.lsp.inline_completion.enable(true, { bufnr = bufnr })
    return
  end
  vim.notify_once(
    'sidecar: this Neovim cannot show inline completions itself; `backend` is "ghost" instead',
    vim.log.levels.WARN
  )
end

---Say, once for each, that something is not to be had of Neovim.
---@param action string
---@return boolean # false: nothing was done
function M.missing(action)
  vim.notify_once(
    ("sidecar: %s() needs this plugin's own ghost text: backend = 'ghost'"):format(action),
    vim.log.levels.WARN
  )
  return false
end

---@return boolean # whether there was something to accept
function M.accept()
  return vim.lsp.inline_completion.get()
end

---@param step integer
---@return boolean
function M.cycle(step)
  vim.lsp.inline_completion.select({ count = step })
  return true
end

return M
