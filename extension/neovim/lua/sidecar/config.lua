--- The options: defaults, and what the user wants of them. Bad ones are named, and not taken.
local M = {}

---@class sidecar.Keys
---@field accept string|false
---@field accept_word string|false
---@field accept_line string|false
---@field next string|false
---@field previous string|false
---@field dismiss string|false
---@field trigger string|false

---@class sidecar.Options
---@field cmd string[]|false the server; false: looked for, see `binary.lua`
---@field backend 'ghost'|'native' who shows suggestions: this plugin, or Neovim 0.12 itself
---@field auto boolean whether suggestions come while one types
---@field filetypes table<string, boolean> which are served; `['*']` is for all others
---@field max_file_bytes integer larger files are left alone
---@field root_markers string[] files whose folder is a project
---@field settings table settings of the server, see `sidecar settings --json-schema`
---@field keys sidecar.Keys|false suggested keys; false: none
local DEFAULTS = {
  cmd = false,
  backend = 'ghost',
  auto = true,
  filetypes = { ['*'] = true, gitrebase = false, help = false },
  max_file_bytes = 2000000,
  root_markers = {
    '.git',
    '.hg',
    'pyproject.toml',
    'package.json',
    'go.mod',
    'Cargo.toml',
    '.sidecarignore',
  },
  settings = {},
  keys = {
    accept = '<Tab>',
    accept_word = '<M-Right>',
    accept_line = '<M-C-Right>',
    next = '<M-]>',
    previous = '<M-[>',
    dismiss = '<C-]>',
    trigger = '<M-Bslash>',
  },
}

---@type sidecar.Options
local chosen = vim.deepcopy(DEFAULTS)

---@param value any
---@param default any
---@param key string
---@return boolean
local function fits(value, default, key)
  if key == 'cmd' or key == 'keys' then
    return value == false or type(value) == 'table'
  elseif key == 'backend' then
    return value == 'ghost' or value == 'native'
  end
  return type(value) == type(default)
end

---Return what the user gave, laid over the defaults, and a sentence for each thing not taken.
---@param options table
---@return sidecar.Options, string[]
function M.merged(options)
  local result, problems = vim.deepcopy(DEFAULTS), {}
  for key, value in pairs(options) do
    local default = DEFAULTS[key]
    if default == nil then
      table.insert(problems, ('%s is not an option'):format(key))
    elseif not fits(value, default, key) then
      table.insert(problems, ('%s may not be %s'):format(key, vim.inspect(value)))
    elseif key == 'keys' and value then
      for action, lhs in pairs(value) do
        if DEFAULTS.keys[action] == nil then
          table.insert(problems, ('keys.%s is not an action'):format(action))
        elseif lhs == false or type(lhs) == 'string' then
          result.keys[action] = lhs
        else
          table.insert(problems, ('keys.%s may not be %s'):format(action, vim.inspect(lhs)))
        end
      end
    elseif key == 'filetypes' then
      result.filetypes = vim.tbl_extend('force', default, value)
    else
      result[key] = vim.deepcopy(value)
    end
  end
  table.sort(problems)
  return result, problems
end

---Take the user's options.
---@param options table
function M.set(options)
  local problems
  chosen, problems = M.merged(options)
  if #problems > 0 then
    table.insert(problems, 'see :help sidecar-options')
    require('sidecar.say').say(table.concat(problems, '; '), vim.log.levels.WARN)
  end
end

---@return sidecar.Options
function M.get()
  return chosen
end

---Tell whether a buffer is binary: null bytes are in no source, and to a server a carriage return
---within a line begins another one, so that it would count other lines than Neovim does.
---@param bufnr integer
---@return boolean
local function binary(bufnr)
  local pattern = vim.bo[bufnr].fileformat == 'dos' and '[%z\r]' or '[%z\r].'
  for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
    if line:find(pattern) then
      return true
    end
  end
  return false
end

---Tell why a buffer is not served, or nil if it is.
---@param bufnr integer
---@return string?
function M.refused(bufnr)
  local buffer = vim.bo[bufnr]
  if buffer.buftype ~= '' then
    return ('it is no file but a %s buffer'):format(buffer.buftype)
  elseif vim.api.nvim_buf_get_name(bufnr) == '' then
    -- All of those would be one document to the server.
    return 'it has no name; it gets one by :write NAME'
  elseif buffer.filetype == '' then
    return "it has no 'filetype'"
  elseif not buffer.buflisted then
    return 'it is not listed'
  end
  local wanted = chosen.filetypes[buffer.filetype]
  if wanted == nil then
    wanted = chosen.filetypes['*']
  end
  if wanted == false then
    return ('the option `filetypes` leaves %s out'):format(buffer.filetype)
  end
  local bytes = vim.api.nvim_buf_get_offset(bufnr, vim.api.nvim_buf_line_count(bufnr))
  if bytes > chosen.max_file_bytes then
    return ('it has %d bytes, more than `max_file_bytes`'):format(bytes)
  elseif binary(bufnr) then
    return 'it is binary'
  end
end

return M
