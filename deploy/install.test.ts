import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { installShop } from '#test/installed-shop.ts'

/** Runs the shipped `install` of a release. Returns the lines of the shop's unit that name other units. */
async function install(settings: Record<string, string>): Promise<string[]> {
  const shop = await installShop(settings)
  onTestFinished(() => shop.close())
  const unpacked = join(shop.home, 'unpacked')
  await cp(resolve(import.meta.dirname, 'systemd'), join(unpacked, 'deploy/systemd'), { recursive: true })
  await writeFile(join(unpacked, 'release.json'), JSON.stringify({ version: '1.0.0' }, null, 2))
  for (const name of ['saltfreak', 'install']) {
    // oxlint-disable-next-line no-await-in-loop -- two files
    await writeFile(join(unpacked, 'deploy', name), await shop.adapted(name), { mode: 0o755 })
  }
  // The tests may have another user, and must not add one to the machine.
  for (const program of ['chown', 'id', 'useradd']) {
    // oxlint-disable-next-line no-await-in-loop -- three files
    await writeFile(join(shop.home, 'bin', program), '#!/bin/sh\necho 0\n', { mode: 0o755 })
  }

  await promisify(execFile)(join(unpacked, 'deploy/install'), { env: shop.environment })

  const unit = await readFile(join(shop.home, 'units/saltfreak@.service'), 'utf8')
  return unit.split('\n').filter((line) => /^(?:Requires|Wants|After)=/.test(line))
}

it('an installation starts the embedded database before the shop', async () => {
  expect(await install({ PUBLIC_URL: 'https://shop.example' })).toEqual([
    'Requires=saltfreak-database.service',
    'Wants=network-online.target',
    'After=saltfreak-database.service network-online.target',
  ])
})

it.for(['DATABASE_URL', 'DATABASE_URL_FILE'])(
  'an installation with %s starts the shop without the embedded database',
  async (name) => {
    expect(await install({ [name]: '/etc/saltfreak/database' })).toEqual([
      'Wants=network-online.target',
      'After=network-online.target',
    ])
  },
)
