-- Loaded at every start: the command and the `<Plug>` maps, and nothing that takes time.
-- Old versions of Neovim run this too, so nothing here may be newer than 0.7.
if vim.g.loaded_sidecar then
  return
end
vim.g.loaded_sidecar = true

vim.api.nvim_create_user_command('Sidecar', function(arguments)
  if vim.fn.has('nvim-0.10') == 0 then
    require('sidecar').setup()
    return
  end
  require('sidecar.command').run(arguments.fargs)
end, {
  nargs = '*',
  desc = 'Code completion from a model on this machine',
  complete = function(_, line)
    return vim.fn.has('nvim-0.10') == 1 and require('sidecar.command').complete(line) or {}
  end,
})

-- They do nothing where there is nothing to do: what a key does then is for its own map to say.
for _, action in ipairs({
  'accept',
  'accept_word',
  'accept_line',
  'next',
  'previous',
  'dismiss',
  'trigger',
}) do
  vim.api.nvim_set_keymap(
    'i',
    '<Plug>(sidecar-' .. action:gsub('_', '-') .. ')',
    ("<Cmd>lua require('sidecar').%s()<CR>"):format(action),
    { noremap = true, silent = true }
  )
end
