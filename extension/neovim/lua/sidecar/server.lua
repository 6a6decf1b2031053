--- The server's life: one process for all buffers of this Neovim, and messages to it.
local binary = require('sidecar.binary')
local config = require('sidecar.config')
local say = require('sidecar.say').say
local status = require('sidecar.status')

local M = {}

M.NAME = 'sidecar'

local MODERN = vim.fn.has('nvim-0.11') == 1
local SECONDS_TO_END = 5
local PAUSE_MS = 20

---Have a root among the folders of a client: a second project is no reason for a second process.
---@param client vim.lsp.Client
---@param root string
local function add_folder(client, root)
  local uri = vim.uri_from_fname(root)
  local folders = client.workspace_folders or {}
  for _, folder in ipairs(folders) do
    if folder.uri == uri then
      return
    end
  end
  local added = { uri = uri, name = root }
  table.insert(folders, added)
  client.workspace_folders = folders
  M.notify(client.id, 'workspace/didChangeWorkspaceFolders', {
    event = { added = { added }, removed = {} },
  })
end

---@param bufnr integer
---@return string? # the folder of the project that a buffer's file is in
local function root_of(bufnr)
  return vim.fs.root(bufnr, config.get().root_markers)
end

---Return what Neovim has to know to start the server.
---@return vim.lsp.Config
function M.definition()
  local options = config.get()
  return {
    name = M.NAME,
    cmd = binary.find(options.cmd).cmd or { 'sidecar', '--stdio' },
    -- As initialization options, because what `workspace/configuration` answers may come from a
    -- project, and then may not choose models and programs.
    init_options = { sidecar = options.settings },
    -- The server looks at the text with every request; a timer would only hold changes back.
    flags = { debounce_text_changes = 0, exit_timeout = 2000 },
    root_dir = function(bufnr, on_dir)
      if not config.refused(bufnr) then
        on_dir(root_of(bufnr))
      end
    end,
    reuse_client = function(client, wanted)
      if client.name ~= M.NAME or (client.is_stopped and client:is_stopped()) then
        return false
      end
      if wanted.root_dir then
        add_folder(client, wanted.root_dir)
      end
      return true
    end,
    on_attach = function(client, bufnr)
      require('sidecar.events').attached(client, bufnr)
    end,
    on_exit = function(code, signal, client_id)
      status.ended(client_id, code, signal)
      vim.schedule(function()
        require('sidecar.ask').cancel()
        require('sidecar.suggestion').clear()
      end)
    end,
    handlers = {
      ['sidecar/inlineCompletionProgress'] = function(_, params)
        require('sidecar.ask').streamed(params)
      end,
      didChangeStatus = function(_, params, context)
        status.changed(context.client_id, params)
      end,
      ['window/showMessage'] = function(_, params)
        -- Never as errors: Neovim stops who types when there are two of those.
        say(params.message, vim.log.levels.WARN)
        return vim.NIL
      end,
      ['window/logMessage'] = function(_, params)
        status.log(params)
        return vim.NIL
      end,
    },
  }
end

--- Whether buffers get a server: not before `start` and not after `stop`.
local started = false
--- Clients that were told to end and have not yet.
---@type vim.lsp.Client[]
local ending = {}

---Attach a buffer: in Neovim 0.10, which has no configurations of servers by name, and where there
---is no event by which later versions do it.
---@param bufnr integer
local function attach_plainly(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) or config.refused(bufnr) then
    return
  end
  local definition = MODERN and vim.deepcopy(vim.lsp.config[M.NAME]) or M.definition()
  definition.root_dir = root_of(bufnr)
  local reuse = definition.reuse_client
  definition.reuse_client = nil
  vim.lsp.start(definition, { bufnr = bufnr, reuse_client = reuse })
end

---Take in that a buffer is about to get another name: it becomes another document.
---@param bufnr integer
function M.renaming(bufnr)
  local client = M.client(bufnr)
  if client then
    vim.lsp.buf_detach_client(bufnr, client.id)
  end
end

---Take in that a buffer may have got a name.
---@param bufnr integer
function M.named(bufnr)
  -- One that has ended by itself is not started again by writing a file.
  local usable = #M.clients() > 0 or not status.of()
  if started and usable and not M.client(bufnr) then
    attach_plainly(bufnr)
  end
end

---@return vim.lsp.Client[]
function M.clients()
  return vim.lsp.get_clients({ name = M.NAME })
end

---Have Neovim start the server for buffers that are open and those that will be.
local function begin()
  if MODERN then
    vim.lsp.config(M.NAME, M.definition())
    vim.lsp.enable(M.NAME)
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('sidecar.attach', {}),
    callback = function(event)
      attach_plainly(event.buf)
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    attach_plainly(bufnr)
  end
end

---Start the server, once those that have to end have ended: Neovim would go on with one of them.
---@return boolean # whether there is one to start
function M.start()
  local found = binary.find(config.get().cmd)
  if not found.cmd then
    say(('%s; %s'):format(found.how, found.fix), vim.log.levels.ERROR)
    return false
  end
  started = true
  if #ending == 0 then
    begin()
  end
  return true
end

---@param force boolean
local function end_all(force)
  for _, client in ipairs(ending) do
    if MODERN then
      client:stop(force)
    else
      vim.lsp.stop_client(client.id, force)
    end
  end
end

---See whether all have ended, until they have.
---@param waited integer milliseconds
local function look(waited)
  ending = vim.tbl_filter(function(client)
    return vim.lsp.get_client_by_id(client.id) ~= nil
  end, ending)
  if #ending == 0 then
    if started then
      begin()
    end
    return
  end
  if waited > 0 and waited % (SECONDS_TO_END * 1000) == 0 then
    end_all(true)
  end
  vim.defer_fn(function()
    look(waited + PAUSE_MS)
  end, PAUSE_MS)
end

---End the server, and do not start it for other buffers.
function M.stop()
  started = false
  if MODERN then
    vim.lsp.enable(M.NAME, false)
  else
    vim.api.nvim_create_augroup('sidecar.attach', {})
  end
  local waiting = #ending > 0
  ending = M.clients()
  end_all(false)
  if not waiting then
    look(0)
  end
end

---End it and start it again.
function M.restart()
  M.stop()
  M.start()
end

---@param bufnr integer
---@return vim.lsp.Client? # the server of a buffer, once it answers
function M.client(bufnr)
  return vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr })[1]
end

---Send a request; what was typed before is sent before it.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param answered fun(err: lsp.ResponseError?, result: any)
---@param bufnr integer?
---@return boolean, integer?
function M.request(client, method, params, answered, bufnr)
  if MODERN then
    return client:request(method, params, answered, bufnr)
  end
  return client.request(method, params, answered, bufnr)
end

---Tell the server something, if it is still there.
---@param client_id integer
---@param method string
---@param params table
function M.notify(client_id, method, params)
  local client = vim.lsp.get_client_by_id(client_id)
  if not client then
    return
  elseif MODERN then
    client:notify(method, params)
  else
    client.notify(method, params)
  end
end

---@param client_id integer
---@param request_id integer
function M.cancel(client_id, request_id)
  M.notify(client_id, '$/cancelRequest', { id = request_id })
end

---Have the server do one of its commands.
---@param client vim.lsp.Client
---@param command string
---@param arguments any[]?
function M.execute(client, command, arguments)
  local params = { command = command, arguments = arguments }
  M.request(client, 'workspace/executeCommand', params, function(err)
    if err then
      say(err.message, vim.log.levels.WARN)
    end
  end)
end

return M
