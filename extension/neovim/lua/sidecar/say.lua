--- Says something to the user in one line: a longer message would stop them with a prompt while
--- they type. The whole of it is in `:Sidecar log`.
local M = {}

local TYPES = {
  [vim.log.levels.ERROR] = 1,
  [vim.log.levels.WARN] = 2,
  [vim.log.levels.INFO] = 3,
}

local MORE = ' … :Sidecar log'

---@param message string
---@param level integer
local function show(message, level)
  local room = vim.v.echospace
  if vim.api.nvim_strwidth(message) > room then
    local left = math.max(0, room - vim.api.nvim_strwidth(MORE))
    message = vim.fn.strcharpart(message, 0, left) .. MORE
  end
  vim.notify(message, level)
end

---@param message string
---@param level integer? one of `vim.log.levels`
function M.say(message, level)
  level = level or vim.log.levels.INFO
  message = 'sidecar: ' .. message:gsub('^sidecar: ', ''):gsub('%s*\n%s*', ' ')
  require('sidecar.status').log({ type = TYPES[level] or 4, message = message })
  if vim.v.vim_did_enter == 0 then
    -- While Neovim starts, a message would make it wait for a key.
    vim.api.nvim_create_autocmd('VimEnter', {
      once = true,
      callback = vim.schedule_wrap(function()
        show(message, level)
      end),
    })
    return
  end
  show(message, level)
end

return M
