import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installShop, type InstalledShop } from '#test/installed-shop.ts'

let shop: InstalledShop
beforeEach(async () => {
  shop = await installShop()
})
afterEach(() => shop.close())

/** Writes a program that says how it was called, or that calls what follows its options. */
async function write(path: string, script: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

it('saltfreak runs commands in a folder that the shop’s user may read, wherever root is', async () => {
  await write(join(shop.home, 'current/deploy/start'), 'pwd; echo "$@"')
  await write(join(shop.home, 'bin/setpriv'), 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"')
  const saltfreak = join(shop.home, 'bin/saltfreak')
  await writeFile(saltfreak, await shop.adapted('saltfreak'), { mode: 0o755 })

  const { stdout } = await promisify(execFile)(saltfreak, ['backup', '/mnt/backups', '--verify'], {
    cwd: homedir(),
    env: shop.environment,
  })

  expect(stdout).toBe('/\nscripts/backup.ts /mnt/backups --verify\n')
})
