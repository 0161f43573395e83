import { expect, it } from 'vitest'
import { helpText, readOptions } from './read-options.ts'

it.each([
  [
    [],
    '--database-url (or DATABASE_URL) must be an address like postgresql://user:password@host:5432/database',
  ],
  [
    ['--database-url', 'postgresql://x@localhost/x', '--max-rows', 'many'],
    '--max-rows (or MAX_ROWS) must be a whole number, not "many"',
  ],
  [['--colour', 'red'], "Unknown option '--colour'\n(--help lists all options)"],
])('explains the invalid command-line options %j', (args, message) => {
  expect(() => readOptions(args, {}).options()).toThrow(message)
})

it('lists the options with --help, which needs no valid option', () => {
  expect(readOptions(['--help'], {}).command).toBe('help')
  expect(helpText()).toContain('--redirect-allow-list')
})
