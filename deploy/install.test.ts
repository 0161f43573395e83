import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { installShop, type InstalledShop } from '#test/installed-shop.ts'

interface Unpacked {
  shop: InstalledShop
  /** Runs the shipped `install` of the release. */
  install: () => Promise<unknown>
}

/** Unpacks the release 1.0.0. */
async function unpack(settings: Record<string, string> = {}): Promise<Unpacked> {
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
  const program = join(unpacked, 'deploy/install')
  return { shop, install: () => promisify(execFile)(program, { env: shop.environment }) }
}

/** Returns the lines of the installed shop's unit that name other units. */
async function installedUnits(settings: Record<string, string>): Promise<string[]> {
  const { shop, install } = await unpack(settings)

  await install()

  const unit = await readFile(join(shop.home, 'units/saltfreak@.service'), 'utf8')
  return unit.split('\n').filter((line) => /^(?:Requires|Wants|After)=/.test(line))
}

it('an installation starts the embedded database before the shop', async () => {
  expect(await installedUnits({ PUBLIC_URL: 'https://shop.example' })).toEqual([
    'Requires=saltfreak-database.service',
    'Wants=network-online.target',
    'After=saltfreak-database.service network-online.target',
  ])
})

it.for(['DATABASE_URL', 'DATABASE_URL_FILE'])(
  'an installation with %s starts the shop without the embedded database',
  async (name) => {
    expect(await installedUnits({ [name]: '/etc/saltfreak/database' })).toEqual([
      'Wants=network-online.target',
      'After=network-online.target',
    ])
  },
)

it('an installation that was interrupted is complete after it is repeated', async () => {
  const { shop, install } = await unpack()
  const releases = join(shop.home, 'releases')
  await mkdir(join(releases, '1.0.0.new'))

  await install()

  expect(await readdir(releases)).toEqual(['1.0.0'])
  expect(await readdir(join(releases, '1.0.0'))).toEqual(['deploy', 'release.json'])
})
