--- Draws a suggestion as ghost text: extmarks in a namespace of its own, and nothing else.
local text = require('sidecar.text')

local M = {}

M.namespace = vim.api.nvim_create_namespace('sidecar')

--- By who says so.
local HIGHLIGHTS = { model = 'SidecarSuggestion', index = 'SidecarOffer' }

---Define the highlights, unless the colour scheme does.
function M.highlights()
  vim.api.nvim_set_hl(0, HIGHLIGHTS.model, { default = true, link = 'Comment' })
  vim.api.nvim_set_hl(0, HIGHLIGHTS.index, { default = true, link = HIGHLIGHTS.model })
end

---@param bufnr integer
function M.clear(bufnr)
  if vim.api.nvim_buf_is_valid(bufnr) then
    vim.api.nvim_buf_clear_namespace(bufnr, M.namespace, 0, -1)
  end
end

---@param bufnr integer
---@param row integer
---@param col integer
---@param options vim.api.keyset.set_extmark
local function mark(bufnr, row, col, options)
  options.hl_mode = 'combine'
  -- What comes from typing is in front of it, so a key leaves it in place until it is redrawn.
  options.right_gravity = true
  options.undo_restore = false
  vim.api.nvim_buf_set_extmark(bufnr, M.namespace, row, col, options)
end

---Draw the lines below the cursor's, split where the window wraps.
---@param lines string[]
---@param tail string what stands behind the cursor and comes after the last of them
---@param tabstop integer
---@param highlight string
---@return table[]
local function below(lines, tail, tabstop, highlight)
  local width = math.huge
  if vim.wo.wrap then
    local window = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1]
    width = window.width - window.textoff
  end
  local drawn = {}
  for index = 2, #lines do
    for _, part in ipairs(text.wrapped(text.drawn(lines[index], 0, tabstop), width)) do
      table.insert(drawn, { { part, highlight } })
    end
  end
  if tail ~= '' then
    table.insert(drawn[#drawn], { text.drawn(tail, 0, tabstop), 'Normal' })
  end
  return drawn
end

---Scroll as far as is needed to see lines below the cursor's: at the end of a window there is room
---for none, and that is where files grow.
---@param count integer
local function make_room(count)
  local line = vim.fn.winline()
  local free = vim.api.nvim_win_get_height(0) - line
  local wanted = math.min(count - free, line - 1 - vim.wo.scrolloff)
  if wanted > 0 then
    vim.fn.winrestview({ topline = vim.fn.line('w0') + wanted })
  end
end

---Draw one line: its pieces stand between the characters that are there already.
---@param view sidecar.View
---@param column integer
---@param tabstop integer
local function inline(view, column, tabstop)
  local bufnr, from = view.suggestion.bufnr, 1
  for index = 1, #view.cut + 1 do
    local place = view.places[index] or #view.rest + 1
    local piece = view.rest:sub(from, place - 1)
    from = place + 1
    if piece ~= '' then
      local drawn = text.drawn(piece, column, tabstop)
      mark(bufnr, view.row, view.col + index - 1, {
        virt_text = { { drawn, HIGHLIGHTS[view.suggestion.source] } },
        virt_text_pos = 'inline',
      })
      column = column + vim.api.nvim_strwidth(drawn)
    end
    column = column + 1
  end
end

---Draw what of a suggestion is to come.
---@param view sidecar.View
function M.draw(view)
  local bufnr = view.suggestion.bufnr
  M.clear(bufnr)
  local tabstop = vim.bo[bufnr].tabstop
  local column = vim.fn.strdisplaywidth(
    vim.api.nvim_buf_get_text(bufnr, view.row, 0, view.row, view.col, {})[1]
  )
  local lines = vim.split(view.rest, '\n', { plain = true })
  if #lines == 1 then
    inline(view, column, tabstop)
    return
  end
  local highlight = HIGHLIGHTS[view.suggestion.source]
  local behind = view.cut .. view.tail
  local more = below(lines, behind:find('%S') and view.tail or '', tabstop, highlight)
  make_room(#more)
  local first = text.drawn(lines[1], column, tabstop)
  if not behind:find('%S') then
    mark(bufnr, view.row, view.col, {
      virt_text = { { first, highlight } },
      virt_text_pos = 'inline',
      virt_lines = more,
    })
    return
  end
  -- What stands behind the cursor will stand behind the last line: it is shown there and covered
  -- here.
  local covered = vim.fn.strdisplaywidth(behind, column) - vim.api.nvim_strwidth(first)
  mark(bufnr, view.row, view.col, {
    virt_text = { { first, highlight }, { (' '):rep(covered), 'Normal' } },
    virt_text_pos = 'overlay',
    virt_lines = more,
  })
end

return M
