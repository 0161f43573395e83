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

/** Runs the shipped `saltfreak` with a start script that prints what `script` says. */
async function saltfreak(script: string, ...args: string[]): Promise<string> {
  await write(join(shop.home, 'current/deploy/start'), script)
  await write(join(shop.home, 'bin/setpriv'), 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"')
  const program = join(shop.home, 'bin/saltfreak')
  await writeFile(program, await shop.adapted('saltfreak'), { mode: 0o755 })
  const { stdout } = await promisify(execFile)(program, args, { cwd: homedir(), env: shop.environment })
  return stdout
}

it('saltfreak runs commands in a folder that the shop’s user may read, wherever root is', async () => {
  const printed = await saltfreak('pwd; echo "$@"', 'backup', '/mnt/backups', '--verify')

  expect(printed).toBe('/\nscripts/backup.ts /mnt/backups --verify\n')
})

it('saltfreak runs commands with the settings, the data and the running database of the shop', async () => {
  const printed = await saltfreak('echo "$ENV_FILE $DATA_DIR $SHARED_DATABASE"', 'keys')

  expect(printed).toBe(`${join(shop.home, 'shop.env')} ${shop.dataDir} true\n`)
})

it('saltfreak runs commands with the port of the version that serves', async () => {
  expect(await saltfreak('echo "$PORT"', 'doctor')).toBe(`${shop.ports[0]}\n`)

  await writeFile(join(shop.home, 'switch', String(shop.ports[1])), '')

  expect(await saltfreak('echo "$PORT"', 'doctor')).toBe(`${shop.ports[1]}\n`)
})
