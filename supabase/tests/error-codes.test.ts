import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const SQL_FILES = ['../migrations/', '../schema/'].map((path) => new URL(path, import.meta.url))
const DOCUMENT = new URL('../../docs/error-codes.md', import.meta.url)

function found(text: string, pattern: RegExp): string[] {
  const codes = Array.from(text.matchAll(pattern), ([, status, word]) => `${status} ${word}`)
  return [...new Set(codes)].toSorted((a, b) => a.localeCompare(b))
}

it('documents exactly the error codes that the SQL files raise', async () => {
  const names = await Promise.all(
    SQL_FILES.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => new URL(name, folder)),
    ),
  )
  const files = names.flat().filter(({ pathname }) => pathname.endsWith('.sql'))
  const sql = await Promise.all(files.map((file) => readFile(file, 'utf8')))

  const raised = found(sql.join('\n'), /private\.refuse\(\s*(\d{3}),\s*'(\w+)'/g)

  expect(found(await readFile(DOCUMENT, 'utf8'), /^\| (\d{3}) \| `(\w+)`/gm)).toEqual(raised)
})
