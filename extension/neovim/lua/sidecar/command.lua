--- `:Sidecar`: one function for each subcommand.
local config = require('sidecar.config')
local events = require('sidecar.events')
local report = require('sidecar.report')
local say = require('sidecar.say').say
local server = require('sidecar.server')
local status = require('sidecar.status')
local window = require('sidecar.window')

local M = {}

---Return the server of the current buffer or any other; without one, say so.
---@return vim.lsp.Client?
local function client()
  local found = server.client(vim.api.nvim_get_current_buf()) or server.clients()[1]
  if not found then
    say('no server runs; :Sidecar start, or see :checkhealth sidecar', vim.log.levels.WARN)
  end
  return found
end

---Ask the server, and show its answer in a window.
---@param title string
---@param method string
---@param params table
---@param lines fun(result: table): string[]
local function show(title, method, params, lines)
  local asked = client()
  if asked then
    server.request(asked, method, params, function(err, result)
      if err then
        say(err.message, vim.log.levels.WARN)
      elseif not result or result == vim.NIL then
        say('the server does not know this buffer', vim.log.levels.WARN)
      else
        window.show(title, lines(result))
      end
    end)
  end
end

---@return table # the cursor, as a place in the server's terms
local function here()
  local bufnr = vim.api.nvim_get_current_buf()
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_get_current_line()
  local found = server.client(bufnr)
  local encoding = found and found.offset_encoding or 'utf-16'
  return {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    position = {
      line = row - 1,
      character = require('sidecar.text').units_of(line, col, encoding),
    },
  }
end

---@class sidecar.Subcommand
---@field run fun(argument: string?)
---@field arguments (fun(): string[])?

---Run `sidecar models list` and hand on what it tells.
---@param use fun(models: table[])
---@return vim.SystemObj?
local function with_models(use)
  local found = require('sidecar.binary').find(config.get().cmd)
  if not found.cmd then
    say(found.how .. '; ' .. found.fix, vim.log.levels.ERROR)
    return
  end
  local command = {}
  for _, part in ipairs(found.cmd) do
    if part == '--stdio' then
      break
    end
    table.insert(command, part)
  end
  vim.list_extend(command, { 'models', 'list', '--json' })
  return vim.system(
    command,
    { text = true },
    vim.schedule_wrap(function(done)
      local ok, told = pcall(vim.json.decode, done.stdout or '')
      if done.code ~= 0 or not ok then
        say('the models could not be listed: ' .. vim.trim(done.stderr or ''), vim.log.levels.ERROR)
      else
        use(told.models)
      end
    end)
  )
end

---@type table<string, sidecar.Subcommand>
local SUBCOMMANDS = {
  status = {
    run = function()
      local bufnr = vim.api.nvim_get_current_buf()
      local notes = {}
      local why = config.refused(bufnr)
      if why then
        table.insert(notes, 'buffer   not served: ' .. why)
      elseif not events.enabled(bufnr) then
        table.insert(notes, 'buffer   switched off; :Sidecar toggle')
      end
      if #server.clients() == 0 and status.of() then
        say(status.of().message .. '; :Sidecar restart starts it again', vim.log.levels.WARN)
        return
      end
      show('sidecar', 'sidecar/status', vim.empty_dict(), function(told)
        return report.status(told, notes)
      end)
    end,
  },
  start = {
    run = function()
      server.start()
    end,
  },
  stop = {
    run = function()
      server.stop()
    end,
  },
  restart = {
    run = function(what)
      local found = what == 'engine' and client()
      if found then
        server.execute(found, 'sidecar.restartEngine')
      elseif what ~= 'engine' then
        server.restart()
      end
    end,
    arguments = function()
      return { 'engine' }
    end,
  },
  toggle = {
    run = function(what)
      local bufnr = what == 'buffer' and vim.api.nvim_get_current_buf() or nil
      local on = events.enable(nil, bufnr)
      say(('suggestions are %s%s'):format(on and 'on' or 'off', bufnr and ' in this buffer' or ''))
    end,
    arguments = function()
      return { 'buffer' }
    end,
  },
  model = {
    run = function(name)
      with_models(function(models)
        local lines = {}
        for _, model in ipairs(models) do
          local state = model.installed and 'installed' or 'not here'
          if model.name == name then
            if not model.installed then
              say(('%s is not installed; run `sidecar models pull %s`'):format(name, name))
              return
            end
            local settings = config.get().settings
            local chosen = { name = name, path = '' }
            settings.model = vim.tbl_extend('force', settings.model or {}, chosen)
            server.restart()
            say(name .. ' is used now; put it into `settings` of your setup to keep it')
            return
          end
          local default = model.default and ', the default here' or ''
          table.insert(lines, ('%-26s %s%s'):format(model.name, state, default))
        end
        if name then
          say(('there is no model %s; :Sidecar model lists them'):format(name), vim.log.levels.WARN)
        else
          window.show('models of sidecar', lines)
        end
      end)
    end,
    arguments = function()
      local names = {}
      local asked = with_models(function(models)
        for _, model in ipairs(models) do
          table.insert(names, model.name)
        end
      end)
      vim.wait(asked and 2000 or 0, function()
        return #names > 0
      end)
      return names
    end,
  },
  context = {
    run = function()
      show('what the model is shown here', 'sidecar/contextCard', here(), report.card)
    end,
  },
  stats = {
    run = function()
      show('counters of sidecar', 'sidecar/stats', vim.empty_dict(), report.stats)
    end,
  },
  log = {
    run = function()
      local lines = status.lines()
      window.show('log of sidecar', #lines > 0 and lines or { 'nothing was logged yet' })
    end,
  },
}

---Run a subcommand; without one, `status`.
---@param arguments string[]
function M.run(arguments)
  local name = arguments[1] or 'status'
  local found = SUBCOMMANDS[name]
  if not found then
    say(
      ('there is no :Sidecar %s; there are %s'):format(
        name,
        table.concat(vim.fn.sort(vim.tbl_keys(SUBCOMMANDS)), ', ')
      ),
      vim.log.levels.ERROR
    )
    return
  end
  found.run(arguments[2])
end

---Complete a subcommand or what may follow one.
---@param line string
---@return string[]
function M.complete(line)
  local words = vim.split(line, '%s+')
  local candidates = {}
  if #words == 2 then
    candidates = vim.tbl_keys(SUBCOMMANDS)
  elseif #words == 3 and SUBCOMMANDS[words[2]] and SUBCOMMANDS[words[2]].arguments then
    candidates = SUBCOMMANDS[words[2]].arguments()
  end
  table.sort(candidates)
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, words[#words])
  end, candidates)
end

return M
