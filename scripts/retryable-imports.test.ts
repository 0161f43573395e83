import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { retryableImports } from './retryable-imports.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imports-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('a built page in Firefox imports a script only after its download, and downloads again after a failure', async () => {
  await writeFile(join(folder, 'form.js'), `export const sentence = 'loaded'`)
  await writeFile(join(folder, 'page.js'), `export const load = () => import('./form.js')`)
  await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [retryableImports()],
    build: { rolldownOptions: { input: join(folder, 'page.js'), preserveEntrySignatures: 'strict' } },
  })
  const assets = join(folder, 'dist/assets')
  const page = (await readdir(assets)).find((name) => name.startsWith('page-')) ?? ''
  const { load } = await import(pathToFileURL(join(assets, page)).href)
  vi.stubGlobal('navigator', { userAgent: 'Firefox/140.0' })
  const fetched = vi.fn().mockRejectedValueOnce(new TypeError('lost')).mockResolvedValue(new Response())
  vi.stubGlobal('fetch', fetched)

  await expect(load()).rejects.toThrow('lost')
  expect(await load()).toMatchObject({ sentence: 'loaded' })

  const form = expect.stringMatching(/^\/assets\/form-.*\.js$/)
  expect(fetched.mock.calls).toEqual([[form], [form]])
})
