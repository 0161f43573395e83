import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const DOCUMENT = new URL('../../docs/error-codes.md', import.meta.url)

function found(text: string, pattern: RegExp): string[] {
  const codes = Array.from(text.matchAll(pattern), ([, status, word]) => `${status} ${word}`)
  return [...new Set(codes)].toSorted((a, b) => a.localeCompare(b))
}

it('every refusal in the migrations is documented, and none that is not there', async () => {
  const files = await readdir(MIGRATIONS)
  const sql = await Promise.all(files.map((file) => readFile(new URL(file, MIGRATIONS), 'utf8')))

  const raised = found(sql.join('\n'), /private\.refuse\(\s*(\d{3}),\s*'(\w+)'/g)

  expect(found(await readFile(DOCUMENT, 'utf8'), /^\| (\d{3}) \| `(\w+)`/gm)).toEqual(raised)
})
