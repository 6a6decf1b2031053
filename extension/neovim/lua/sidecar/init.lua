--- What users call: `setup`, the actions that keys are mapped to, and the statusline.
--- Modules are loaded when they are needed, and this one runs in any version: it has to be able to
--- say that a version is too old.
local M = {}

local OLDEST = '0.10'

---Start: find the server, attach to buffers, map the suggested keys.
---@param options sidecar.Options? see |sidecar-options|
function M.setup(options)
  if vim.fn.has('nvim-' .. OLDEST) == 0 then
    local version = vim.version()
    vim.notify(
      ('sidecar: this is Neovim %d.%d.%d; install %s or newer'):format(
        version.major,
        version.minor,
        version.patch,
        OLDEST
      ),
      vim.log.levels.ERROR
    )
    return
  end
  local config = require('sidecar.config')
  config.set(options or {})
  require('sidecar.ghost').highlights()
  require('sidecar.events').listen()
  require('sidecar.keys').map(config.get().keys)
  require('sidecar.server').start()
end

---@return table? # who shows suggestions if this plugin does not
local function native()
  local other = require('sidecar.config').get().backend == 'native' and require('sidecar.native')
  return other and other.usable() and other or nil
end

---Tell whether this plugin shows the suggestions; where Neovim does, say what that cannot do.
---@param action string
---@return boolean
local function ours(action)
  local other = native()
  return not other or other.missing(action)
end

---Accept all of the suggestion.
---@return boolean # whether there was one
function M.accept()
  return (native() or require('sidecar.accept')).accept('all')
end

---Accept its next word.
---@return boolean
function M.accept_word()
  return ours('accept_word') and require('sidecar.accept').accept('word')
end

---Accept the rest of its line, or its next line.
---@return boolean
function M.accept_line()
  return ours('accept_line') and require('sidecar.accept').accept('line')
end

---Show the next alternative; asks for alternatives first if that was not done.
---@return boolean
function M.next()
  return (native() or require('sidecar.ask')).cycle(1)
end

---Show the previous alternative.
---@return boolean
function M.previous()
  return (native() or require('sidecar.ask')).cycle(-1)
end

---Take the suggestion away until something is typed.
---@return boolean # whether there was one
function M.dismiss()
  return ours('dismiss') and require('sidecar.ask').dismiss()
end

---Ask now, also where suggestions do not come by themselves.
---@return boolean # whether there is a server to ask
function M.trigger()
  return ours('trigger') and require('sidecar.ask').ask({ explicit = true })
end

---Tell whether a suggestion is on the screen, for maps of your own.
---@return boolean
function M.visible()
  return ours('visible') and require('sidecar.suggestion').visible() ~= nil
end

---A short text for the statusline; empty in buffers without the server.
---@return string
function M.statusline()
  return require('sidecar.status').line(vim.api.nvim_get_current_buf())
end

return M
