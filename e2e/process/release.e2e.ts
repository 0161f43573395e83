import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { freePort } from '@saltfreak/backend/testing'
import { startShop } from '#test/running-shop.ts'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '../..')

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-release-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

test(
  'a release starts from an empty folder, with the hashes that it lists and without development packages',
  { tag: '@long' },
  async () => {
    test.setTimeout(300_000)
    await run(process.execPath, [join(project, 'scripts/release.ts'), '--into', folder])
    const archive = (await readdir(folder)).find((name) => name.endsWith('.tar.gz')) ?? ''
    await run('sha256sum', ['--check', `${archive}.sha256`], { cwd: folder })
    await run('tar', ['-xzf', archive], { cwd: folder })
    const release = join(folder, archive.replace('.tar.gz', ''))

    await run('sha256sum', ['--quiet', '--check', 'SHA256SUMS'], { cwd: release, maxBuffer: 1e8 })
    expect(existsSync(join(release, 'node_modules', 'typescript'))).toBe(false)

    const PORT = String(await freePort())
    const first = await startShop({ PORT }, { folder: release })
    const admin = first.admin
    const ended = once(first.process, 'exit')
    first.process.kill('SIGTERM')
    await ended
    const second = await startShop({ PORT, DATA_DIR: first.dataDir }, { folder: release })
    const page = await fetch(`${second.url}/products`)
    await second.stop()
    await first.stop()

    expect(page.status).toBe(200)
    expect(second.admin).toEqual(admin)
  },
)
