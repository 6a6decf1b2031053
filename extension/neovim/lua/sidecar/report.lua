--- Makes lines for people of what the server tells: status, counters, context cards.
local M = {}

---@param told table the answer to `sidecar/status`
---@param notes string[] what else there is to say
---@return string[]
function M.status(told, notes)
  local engine, index = told.engine or {}, told.index or {}
  local lines = {
    ('server   sidecar %s, protocol %s'):format(told.version, told.protocol),
    ('engine   %s: %s'):format(engine.phase or '?', engine.message or ''),
    ('model    %s'):format(engine.model ~= '' and engine.model or 'none'),
  }
  if engine.fix and engine.fix ~= vim.NIL and engine.fix ~= '' then
    table.insert(lines, 'to do    ' .. engine.fix)
  end
  for _, root in ipairs(index.roots or {}) do
    local files = root.files and root.files ~= vim.NIL and root.files .. ' files' or 'being read'
    table.insert(lines, ('index    %s: %s'):format(root.root or root.path or '', files))
  end
  vim.list_extend(lines, notes)
  return lines
end

---@param told { counters: table<string, number>, histograms: table<string, table>, rates: table? }
---@return string[]
function M.stats(told)
  local lines = {}
  for name, rate in vim.spairs(told.rates or {}) do
    -- Those that nothing was counted of are null.
    if type(rate) == 'number' then
      table.insert(lines, ('%-44s %9.0f %%'):format(name, rate * 100))
    end
  end
  for name, number in vim.spairs(told.counters) do
    table.insert(lines, ('%-44s %10d'):format(name, number))
  end
  if next(told.histograms) then
    table.insert(lines, ('%-44s %10s %10s %10s'):format('', 'p50', 'p90', 'p95'))
  end
  for name, group in vim.spairs(told.histograms) do
    table.insert(
      lines,
      ('%-44s %10.1f %10.1f %10.1f'):format(name, group.p50 or 0, group.p90 or 0, group.p95 or 0)
    )
  end
  return #lines > 0 and lines or { 'nothing was counted yet' }
end

---@param card table the answer to `sidecar/contextCard`
---@return string[]
function M.card(card)
  local lines = {
    ('%d tokens, of which %d are as they were; whole files would be %d'):format(
      card.prompt_tokens or 0,
      card.unchanged_tokens or 0,
      card.whole_file_tokens or 0
    ),
    '',
  }
  for _, part in ipairs(card.parts or {}) do
    table.insert(
      lines,
      ('%5d  %-10s %-12s %s%s'):format(
        part.tokens or 0,
        part.part or '',
        part.source or '',
        part.path or '',
        part.reason and part.reason ~= '' and '  (' .. part.reason .. ')' or ''
      )
    )
  end
  for _, part in ipairs(card.dropped or {}) do
    table.insert(
      lines,
      ('%5d  left out   %-12s %s  (%s)'):format(
        part.tokens or 0,
        part.source or '',
        part.path or '',
        part.reason or ''
      )
    )
  end
  for _, note in ipairs(card.notes or {}) do
    table.insert(lines, '       ' .. note)
  end
  return lines
end

return M
