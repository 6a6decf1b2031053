--- `:checkhealth sidecar`: what is missing, and how to get it. Runs in old versions of Neovim too,
--- which are one of the things it has to name.
local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local error_ = health.error or health.report_error
local info = health.info or health.report_info

---@return boolean # whether this version can run the plugin
local function check_version()
  local version = vim.version()
  local name = ('%d.%d.%d'):format(version.major, version.minor, version.patch)
  if vim.fn.has('nvim-0.10') == 0 then
    error_('this is Neovim ' .. name, { 'install Neovim 0.10 or newer' })
    return false
  end
  ok('Neovim ' .. name)
  if vim.fn.has('nvim-0.11') == 0 or vim.fn.has('nvim-0.12') == 1 then
    info('only 0.11 was tested')
  end
  return true
end

---@param command string[]
---@return integer, string # exit code and output
local function run(command)
  local output = vim.fn.system(command)
  return vim.v.shell_error, output
end

---@param given string[]|false|nil
---@return string[]? # the program without what makes it a server
local function check_binary(given)
  local found = require('sidecar.binary').find(given)
  if not found.cmd then
    error_(found.how, { found.fix })
    return nil
  end
  local command = {}
  for _, part in ipairs(found.cmd) do
    if part:sub(1, 2) == '--' then
      break
    end
    table.insert(command, part)
  end
  local shown = table.concat(command, ' ')
  local code, output = run(vim.list_extend(vim.deepcopy(command), { '--version', '--json' }))
  local decoded, told = pcall(vim.fn.json_decode, output)
  if code ~= 0 or not decoded or type(told) ~= 'table' or told.product ~= 'sidecar-completion' then
    local said = vim.trim(output)
    error_(('`%s` (%s) is not sidecar, or is broken: %s'):format(shown, found.how, said), {
      'run `' .. shown .. ' --version` in a shell to see why',
      'another package is called sidecar too: set the option `cmd` to the right one',
    })
    return nil
  end
  ok(('sidecar %s: `%s`, %s'):format(told.version, shown, found.how))
  return command
end

---@param command string[]
---@param settings table
local function check_model(command, settings)
  local model = settings.model or {}
  if model.path and model.path ~= '' then
    if vim.fn.filereadable(vim.fn.expand(model.path)) == 1 then
      ok('the model is ' .. model.path)
    else
      error_(('there is no file %s'):format(model.path), { 'correct `settings.model.path`' })
    end
    return
  end
  local code, output = run(vim.list_extend(vim.deepcopy(command), { 'models', 'list', '--json' }))
  local decoded, told = pcall(vim.fn.json_decode, output)
  if code ~= 0 or not decoded then
    error_('the models could not be listed: ' .. vim.trim(output), { 'run `sidecar doctor`' })
    return
  end
  local wanted = model.name
  for _, known in ipairs(told.models) do
    if known.name == wanted or ((wanted == nil or wanted == '') and known.default) then
      if known.installed then
        ok(('the model %s is installed'):format(known.name))
      else
        error_(
          ('the model %s is not installed'):format(known.name),
          { ('run `%s models pull %s`'):format(table.concat(command, ' '), known.name) }
        )
      end
      return
    end
  end
  error_(
    ('there is no model %s'):format(wanted or 'for this machine'),
    { '`sidecar models list` names those there are' }
  )
end

local function check_server()
  local server = require('sidecar.server')
  local clients = server.clients()
  if #clients == 0 then
    local told = require('sidecar.status').of()
    if told then
      error_(told.message, { ':Sidecar restart', ':Sidecar log' })
    else
      info('the server does not run; it starts with the first file')
    end
    return
  end
  for _, client in ipairs(clients) do
    local told = require('sidecar.status').of(client.id)
    if told and told.kind == 'Error' then
      local fixes = { ':Sidecar restart engine', 'run `sidecar doctor`' }
      error_('the server says: ' .. told.message, fixes)
    else
      ok(
        ('the server runs for %d buffers: %s'):format(
          #vim.tbl_keys(client.attached_buffers or {}),
          told and told.message or 'it has not told yet how it is'
        )
      )
    end
  end
end

local function check_keys()
  for action, lhs in pairs(require('sidecar.config').get().keys or {}) do
    if lhs then
      local map = vim.fn.maparg(lhs, 'i', false, true)
      if not (map.desc or ''):find('^sidecar: ') then
        warn(('%s is mapped by something else than sidecar.%s'):format(lhs, action), {
          ("call require('sidecar').%s() in that map: it tells whether it did something"):format(
            action
          ),
        })
      end
    end
  end
end

function M.check()
  start('sidecar')
  if not check_version() then
    return
  end
  local options = require('sidecar.config').get()
  local command = check_binary(options.cmd)
  if command then
    check_model(command, options.settings)
    check_server()
  end
  if vim.fn.exists('#sidecar') == 0 then
    warn('setup was not called', { "put require('sidecar').setup() into your init.lua" })
  else
    check_keys()
  end
end

return M
