--- Where the server's program is: as told, in the path, or in the checkout that this plugin is of.
--- Must work in old versions too: `:checkhealth` asks it.
local M = {}

---@return string # the folder `extension/neovim`
local function here()
  local source = debug.getinfo(1, 'S').source:sub(2)
  return vim.fn.fnamemodify(vim.fn.resolve(source), ':p:h:h:h')
end

---@class sidecar.Found
---@field cmd string[]? what to start; nil if nothing was found
---@field how string where it is from, or what is wrong
---@field fix string? what to do about that

---Find the server.
---@param given string[]|false|nil the option `cmd`
---@return sidecar.Found
function M.find(given)
  if given then
    local program = vim.fn.expand(given[1] or '')
    if vim.fn.executable(program) == 1 then
      local cmd = { program }
      for index = 2, #given do
        cmd[index] = given[index]
      end
      if #cmd == 1 then
        cmd[2] = '--stdio'
      end
      return { cmd = cmd, how = 'as the option `cmd` says' }
    end
    return {
      how = ('`%s`, which the option `cmd` names, cannot be run'):format(program),
      fix = 'correct the path in `cmd`, or leave the option out',
    }
  end
  local found = vim.fn.exepath('sidecar')
  if found ~= '' then
    return { cmd = { found, '--stdio' }, how = 'from the path' }
  end
  local checkout = vim.fn.fnamemodify(here(), ':h:h')
  local own = checkout .. '/.venv/bin/sidecar'
  if vim.fn.executable(own) == 1 then
    return { cmd = { own, '--stdio' }, how = 'of the checkout that the plugin is in' }
  end
  return {
    how = 'there is no program `sidecar`, neither in the path nor in ' .. checkout .. '/.venv',
    fix = 'run `scripts/setup` in a clone of sidecar, or set the option `cmd`',
  }
end

return M
