--- How the server is, as it told last, for the statusline and the commands; and its last log lines.
local M = {}

local MOST_LINES = 500

---@class sidecar.Status
---@field busy boolean
---@field message string
---@field kind 'Normal'|'Inactive'|'Error'|'Warning'

---@type table<integer, sidecar.Status>
local by_client = {}
---@type sidecar.Status?
local last
---@type string[]
local lines = {}

local LEVELS = { 'error', 'warning', 'info', 'log', 'debug' }

local function announce()
  vim.api.nvim_exec_autocmds('User', { pattern = 'SidecarStatus', modeline = false })
  vim.cmd.redrawstatus({ bang = true })
end

---Take in what the server told.
---@param client_id integer
---@param told sidecar.Status
function M.changed(client_id, told)
  local was = by_client[client_id]
  by_client[client_id] = told
  last = told
  vim.schedule(announce)
  if was and was.busy and not told.busy and told.kind == 'Normal' then
    -- Who typed while the model was loaded is answered now.
    require('sidecar.events').again()
  end
end

---Take in that a server has ended.
---@param client_id integer
---@param code integer
---@param signal integer
function M.ended(client_id, code, signal)
  by_client[client_id] = nil
  local why = signal ~= 0 and 'by signal ' .. signal or 'with code ' .. code
  last = {
    busy = false,
    kind = code == 0 and signal == 0 and 'Inactive' or 'Error',
    message = 'the server has ended ' .. why,
  }
  vim.schedule(announce)
end

---Keep a line of the server's log.
---@param params { type: integer, message: string }
function M.log(params)
  local level = LEVELS[params.type] or 'log'
  for _, line in ipairs(vim.split(params.message, '\n')) do
    table.insert(lines, ('%s %-7s %s'):format(os.date('%H:%M:%S'), level, line))
  end
  while #lines > MOST_LINES do
    table.remove(lines, 1)
  end
end

---@return string[]
function M.lines()
  return lines
end

---@param client_id integer?
---@return sidecar.Status?
function M.of(client_id)
  return client_id and by_client[client_id] or last
end

---Return a short text for a buffer's statusline; empty where the server has nothing to do with it.
---@param bufnr integer
---@return string
function M.line(bufnr)
  local client = require('sidecar.server').client(bufnr)
  if not client then
    return ''
  elseif not require('sidecar.events').enabled(bufnr) then
    return 'sidecar off'
  end
  local told = by_client[client.id]
  if not told then
    return 'sidecar …'
  elseif told.kind == 'Error' then
    return 'sidecar !'
  elseif told.busy then
    return 'sidecar …'
  end
  return told.kind == 'Inactive' and 'sidecar off' or 'sidecar'
end

return M
