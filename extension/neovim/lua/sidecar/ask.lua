--- Asks the server for suggestions, and puts what it answers on the screen. The newest request is
--- the only one whose answer counts: the server ends older ones of a document by itself.
local say = require('sidecar.say').say
local server = require('sidecar.server')
local suggestion = require('sidecar.suggestion')
local text = require('sidecar.text')

local M = {}

local METHOD = 'textDocument/inlineCompletion'
local INVOKED, AUTOMATIC = 1, 2

---@class sidecar.Asked
---@field id integer?
---@field client_id integer
---@field encoding string
---@field token string
---@field bufnr integer
---@field row integer
---@field col integer
---@field line string
---@field step integer? which alternative is wanted
---@field explicit boolean

---@type sidecar.Asked?
local pending
local number = 0

---Tell whether text is being inserted where ghost text may stand: not in replace modes, nor behind
---the end of a line, nor while a macro is recorded, which would hold the key and not what it
---accepted, or is replayed, nor with 'paste', which switches keys off.
---@return boolean
function M.inserting()
  return vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
    and vim.fn.reg_recording() == ''
    and vim.fn.reg_executing() == ''
    and not vim.o.paste
    and vim.fn.getcurpos()[4] == 0
end

---@param asked sidecar.Asked
---@param err lsp.ResponseError?
---@param result any
local function answered(asked, err, result)
  if pending ~= asked then
    return
  end
  pending = nil
  if vim.api.nvim_get_current_buf() ~= asked.bufnr or not M.inserting() then
    return
  end
  local list = {}
  for _, item in ipairs(not err and result and (result.items or result) or {}) do
    table.insert(list, suggestion.of(item, asked, asked.encoding, false))
  end
  local shown = suggestion.set(list)
  if shown and asked.step and #list > 1 then
    suggestion.turn(asked.step)
  elseif asked.step and shown then
    say('there is no other suggestion here')
  elseif asked.explicit and not shown then
    local told = require('sidecar.status').of(asked.client_id)
    local why = told and told.kind == 'Error' and told.message or 'there is nothing to suggest here'
    say(why)
  end
end

---Ask for suggestions at the cursor.
---@param options { explicit: boolean?, step: integer? }?
---@return boolean # whether there was somebody to ask
function M.ask(options)
  options = options or {}
  local bufnr = vim.api.nvim_get_current_buf()
  local client = server.client(bufnr)
  if not client or not M.inserting() then
    return false
  end
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_get_current_line()
  number = number + 1
  ---@type sidecar.Asked
  local asked = {
    client_id = client.id,
    encoding = client.offset_encoding,
    token = 'neovim-' .. number,
    bufnr = bufnr,
    row = row - 1,
    col = col,
    line = line,
    step = options.step,
    explicit = options.explicit or false,
  }
  pending = asked
  local ok, id = server.request(client, METHOD, {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    position = { line = row - 1, character = text.units_of(line, col, client.offset_encoding) },
    context = { triggerKind = (options.explicit or options.step) and INVOKED or AUTOMATIC },
    streamToken = asked.token,
  }, function(err, result)
    answered(asked, err, result)
  end, bufnr)
  asked.id = id
  if not ok then
    pending = nil
  end
  return ok
end

---Show what there is of an answer that is still being made.
---@param params table `streamToken`, `text`, `range`, `done`, and `source` of what is no model's
function M.streamed(params)
  local asked = pending
  if not asked or params.streamToken ~= asked.token or params.done or params.text == '' then
    return
  end
  if vim.api.nvim_get_current_buf() ~= asked.bufnr or not M.inserting() then
    return
  end
  local item = { insertText = params.text, range = params.range, source = params.source }
  local made = suggestion.of(item, asked, asked.encoding, true)
  if made then
    suggestion.stream(made)
  end
end

---Show another alternative: one that is known, or after asking for alternatives.
---@param step integer
---@return boolean # whether something is shown that there may be alternatives to
function M.cycle(step)
  if not suggestion.visible() then
    return false
  elseif suggestion.count() > 1 then
    suggestion.turn(step)
    return true
  end
  return M.ask({ step = step })
end

---Want no answer any more.
function M.cancel()
  local asked = pending
  pending = nil
  if asked and asked.id then
    server.cancel(asked.client_id, asked.id)
  end
end

---Take the suggestion away; nothing comes back until something is typed.
---@return boolean # whether there was one
function M.dismiss()
  M.cancel()
  return suggestion.clear()
end

return M
