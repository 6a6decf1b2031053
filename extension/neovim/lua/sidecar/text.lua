--- Pure work on text: columns in the server's encoding, words and lines of a suggestion.
local M = {}

local MODERN = vim.fn.has('nvim-0.11') == 1

---Return the byte column of a column in the server's encoding; past the end it is the end.
---@param line string
---@param units integer
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return integer
function M.byte_of(line, units, encoding)
  if encoding == 'utf-8' then
    return math.min(units, #line)
  elseif MODERN then
    return vim.str_byteindex(line, encoding, units, false)
  end
  local longest = M.units_of(line, #line, encoding)
  return vim.str_byteindex(line, math.min(units, longest), encoding == 'utf-16')
end

---Return the column in the server's encoding of a byte column.
---@param line string
---@param byte integer
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return integer
function M.units_of(line, byte, encoding)
  if encoding == 'utf-8' then
    return byte
  elseif MODERN then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local utf32, utf16 = vim.str_utfindex(line, byte)
  return encoding == 'utf-16' and utf16 or utf32
end

---Return a text with Neovim's line breaks: buffers hold no carriage returns of line ends.
---@param text string
---@return string
function M.normal(text)
  return (text:gsub('\r\n?', '\n'))
end

---Return the next word of a text: blanks and line breaks before it, then letters or signs.
---@param text string
---@return string
function M.word(text)
  return text:match('^%s*[%w_\128-\255]+') or text:match('^%s*[^%w_%s\128-\255]+') or text
end

---Return what is left of the first line of a text; if that is nothing, the line after it.
---@param text string
---@return string
function M.line(text)
  return text:match('^\n?[^\n]*')
end

---Find text in a longer one, in order but with gaps, from the right: closers stand at its end.
---@param part string
---@param whole string
---@return integer[]? # for each byte of the part its place in the whole; nil if one is missing
function M.contained(part, whole)
  local places, place = {}, #whole
  for index = #part, 1, -1 do
    local byte = part:byte(index)
    while place > 0 and whole:byte(place) ~= byte do
      place = place - 1
    end
    if place == 0 then
      return nil
    end
    places[index] = place
    place = place - 1
  end
  return places
end

---Return a text as it is drawn: virtual text does not know what a tab's width is.
---@param text string
---@param column integer the screen column at which it begins
---@param tabstop integer
---@return string
function M.drawn(text, column, tabstop)
  local pieces = {}
  for piece, tab in text:gmatch('([^\t]*)(\t?)') do
    piece = vim.fn.strtrans(piece)
    column = column + vim.api.nvim_strwidth(piece)
    table.insert(pieces, piece)
    if tab ~= '' then
      local width = tabstop - column % tabstop
      column = column + width
      table.insert(pieces, (' '):rep(width))
    end
  end
  return table.concat(pieces)
end

---Split a drawn line where the window would wrap it.
---@param text string
---@param width integer
---@return string[]
function M.wrapped(text, width)
  if width < 1 or vim.api.nvim_strwidth(text) <= width then
    return { text }
  end
  local lines, line, used = {}, {}, 0
  for _, character in ipairs(vim.fn.split(text, '\\zs')) do
    local wide = vim.api.nvim_strwidth(character)
    if used + wide > width and used > 0 then
      table.insert(lines, table.concat(line))
      line, used = {}, 0
    end
    table.insert(line, character)
    used = used + wide
  end
  table.insert(lines, table.concat(line))
  return lines
end

return M
