--- The suggestions that are known at the cursor, and what of the chosen one is still to come.
---
--- A suggestion replaces text from a place on. While what stands between that place and the cursor
--- is how it begins, it is shown without that: so typing along, a backspace and accepting a part
--- need nothing but another look at the buffer.
local ghost = require('sidecar.ghost')
local text = require('sidecar.text')

local M = {}

---@class sidecar.Suggestion
---@field bufnr integer
---@field row integer where it begins, from 0
---@field col integer in bytes
---@field keep integer bytes at the end of the cursor's line that it does not replace
---@field text string with line feeds
---@field item table as the server gave it
---@field client_id integer
---@field partial boolean whether more of it may come
---@field source 'model'|'index' who says so: the index only until the model does

---@class sidecar.View
---@field suggestion sidecar.Suggestion
---@field row integer the cursor, from 0
---@field col integer
---@field typed string how much of the text stands before the cursor
---@field rest string what is to come
---@field cut string what it replaces behind the cursor
---@field places integer[] where in `rest` the bytes of `cut` come again
---@field tail string what stands behind that

---@type { list: sidecar.Suggestion[], index: integer }?
local known
---@type sidecar.View?
local view
---@type table? the last one of which the server was told that it is shown
local told

---Make a suggestion of an item.
---@param item table
---@param asked table the request: `bufnr`, `row`, `line` (its text at that time), `client_id`
---@param encoding string
---@param partial boolean
---@return sidecar.Suggestion? # nil if it is not about the cursor's line
function M.of(item, asked, encoding, partial)
  local range = item.range
  local inserted = item.insertText
  if type(inserted) ~= 'string' then
    return nil
  end
  local first, last = asked.col, asked.col
  if range then
    if range.start.line ~= asked.row or range['end'].line ~= asked.row then
      return nil
    end
    first = text.byte_of(asked.line, range.start.character, encoding)
    last = text.byte_of(asked.line, range['end'].character, encoding)
  end
  return {
    bufnr = asked.bufnr,
    row = asked.row,
    col = first,
    keep = #asked.line - last,
    text = text.normal(inserted),
    item = item,
    client_id = asked.client_id,
    partial = partial,
    source = item.source or 'model',
  }
end

---Return what of a suggestion is to come at the cursor, or nil if it does not fit there.
---@param suggestion sidecar.Suggestion
---@return sidecar.View?
local function seen(suggestion)
  local bufnr = suggestion.bufnr
  if vim.api.nvim_get_current_buf() ~= bufnr then
    return nil
  end
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  row = row - 1
  if row < suggestion.row or (row == suggestion.row and col < suggestion.col) then
    return nil
  end
  -- A suggestion has few lines: a cursor far below it has nothing to do with it.
  if row - suggestion.row > select(2, suggestion.text:gsub('\n', '')) then
    return nil
  end
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1]
  local first = row == suggestion.row and line
    or vim.api.nvim_buf_get_lines(bufnr, suggestion.row, suggestion.row + 1, false)[1]
  if not first or #first < suggestion.col then
    return nil
  end
  local before =
    vim.api.nvim_buf_get_text(bufnr, suggestion.row, suggestion.col, row, math.min(col, #line), {})
  local typed = table.concat(before, '\n')
  if not vim.startswith(suggestion.text, typed) or #typed == #suggestion.text then
    return nil
  end
  local rest = suggestion.text:sub(#typed + 1)
  local cut = line:sub(col + 1, #line - suggestion.keep)
  -- Closers that an editor put there may come again; words may not be eaten.
  if #line - suggestion.keep < col or cut:find('[%w_\128-\255]') then
    return nil
  end
  local places = text.contained(cut, rest)
  if not places or #cut == #rest then
    return nil
  end
  return {
    suggestion = suggestion,
    row = row,
    col = col,
    typed = typed,
    rest = rest,
    cut = cut,
    places = places,
    tail = line:sub(col + #cut + 1),
  }
end

---Tell the server that the one on the screen is there, once.
local function tell()
  local suggestion = view and view.suggestion
  if not suggestion or suggestion.partial then
    return
  end
  local same = told
    and told.bufnr == suggestion.bufnr
    and told.row == suggestion.row
    and told.col == suggestion.col
    and told.text == suggestion.text
  if not same then
    told = suggestion
    require('sidecar.server').notify(
      suggestion.client_id,
      'textDocument/didShowCompletion',
      { item = suggestion.item }
    )
  end
end

---Draw what fits at the cursor; what fits nowhere is forgotten.
---@return boolean # whether something is shown
function M.refresh()
  if not known then
    return false
  end
  local new = seen(known.list[known.index])
  if not new then
    M.clear()
    return false
  end
  if view and view.suggestion.bufnr ~= new.suggestion.bufnr then
    ghost.clear(view.suggestion.bufnr)
  end
  view = new
  ghost.draw(view)
  tell()
  return true
end

---Show one of these suggestions, or none.
---@param list sidecar.Suggestion[]
---@param index integer?
---@return boolean
function M.set(list, index)
  if #list == 0 then
    M.clear()
    return false
  end
  known = { list = list, index = index or 1 }
  return M.refresh()
end

---Show what there is so far of an answer, unless more than that is on the screen already.
---@param suggestion sidecar.Suggestion
function M.stream(suggestion)
  local now = known and seen(known.list[known.index])
  local new = seen(suggestion)
  if new and not (now and vim.startswith(now.rest, new.rest)) then
    M.set({ suggestion })
  end
end

---Take everything away.
---@return boolean # whether there was something on the screen
function M.clear()
  local was = view
  if was then
    ghost.clear(was.suggestion.bufnr)
  end
  known, view = nil, nil
  return was ~= nil
end

---Return what is on the screen, if it is true of the buffer as it stands now.
---@return sidecar.View?
function M.visible()
  if not view or not known then
    return nil
  end
  return seen(known.list[known.index])
end

---@return integer # how many there are
function M.count()
  return known and #known.list or 0
end

---Show another one of them.
---@param step integer
function M.turn(step)
  if known then
    known.index = (known.index - 1 + step) % #known.list + 1
    M.refresh()
  end
end

return M
