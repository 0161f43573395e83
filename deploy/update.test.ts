import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isLongRun } from '@saltfreak/backend/testing'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { installShop, type InstalledShop, type ReleaseContent } from '#test/installed-shop.ts'

const run = promisify(execFile)

/** In place of the shop: a server that says its version, and is ready or not. */
const server = (readyStatus: number, host = '127.0.0.1'): ReleaseContent => ({
  async fill(folder) {
    await writeFile(
      join(folder, 'server.mjs'),
      `import { createServer } from 'node:http'
      import { readFileSync } from 'node:fs'
      const { version } = JSON.parse(readFileSync(new URL('release.json', import.meta.url)))
      createServer((request, response) => {
        response.writeHead(request.url === '/readyz' ? ${readyStatus} : 200).end(version)
      }).listen(process.env.PORT, '${host}')`,
    )
  },
})
const ready = server(200)

let shop: InstalledShop
beforeEach(async () => {
  shop = await installShop()
  await writeFile(
    join(shop.home, 'units', 'saltfreak@.service'),
    `Environment=PORT=%i\nExecStart=${process.execPath} ${shop.home}/%i/server.mjs\n`,
  )
  await writeFile(
    join(shop.home, 'units', 'saltfreak-database.service'),
    `ExecStart=/bin/sh ${shop.home}/database.sh\n`,
  )
  await writeFile(join(shop.home, 'database.sh'), 'echo The database is running\nexec sleep 600\n')
  await shop.start('1.0.0', ready)
  await answers(shop.ports[0], '1.0.0')
})
afterEach(() => shop.close())

/** What the server on a port says; null when there is none. */
function versionOn(port: number, host = '127.0.0.1'): Promise<string | null> {
  return fetch(`http://${host}:${port}/`).then(
    (answer) => answer.text(),
    () => null,
  )
}

async function answers(port: number, version: string): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- polls a process that starts
  while ((await versionOn(port)) !== version) await pause(20)
}

/** The port that the proxy uses. */
const live = () => shop.ports[existsSync(join(shop.home, 'switch', String(shop.ports[1]))) ? 1 : 0]

it('an update switches to the new version and stops the old one, and a rollback goes back', async () => {
  const update = await shop.deploy('update', await shop.archive('1.1.0', ready))

  expect(update.output).toBe(
    'version 1.1.0 serves\nversion 1.0.0 has stopped; deploy/rollback goes back to it\n',
  )
  expect(live()).toBe(shop.ports[1])
  expect(await versionOn(shop.ports[1])).toBe('1.1.0')
  expect(await versionOn(shop.ports[0])).toBeNull()
  expect(await shop.enabled()).toEqual([`saltfreak@${shop.ports[1]}`])
  expect(await readlink(join(shop.home, 'current'))).toBe(join(shop.home, String(shop.ports[1])))

  const back = await shop.deploy('rollback')

  expect(back.output).toBe(
    'version 1.0.0 serves\nversion 1.1.0 has stopped; deploy/rollback goes back to it\n',
  )
  expect(live()).toBe(shop.ports[0])
  expect(await versionOn(shop.ports[0])).toBe('1.0.0')
  expect(await versionOn(shop.ports[1])).toBeNull()
  expect(await shop.enabled()).toEqual([`saltfreak@${shop.ports[0]}`])
})

it('an update whose version is not ready in time stops it, the old version goes on, and a rollback never starts the one that failed', async () => {
  const failUpdate = async (version: string) => {
    shop.environment.SALTFREAK_READY_SECONDS = '1'
    const update = await shop.deploy('update', await shop.archive(version, server(503)))
    shop.environment.SALTFREAK_READY_SECONDS = '60'
    return update
  }

  const { code, output } = await failUpdate('1.0.1')

  expect(code).toBe(1)
  expect(output).toMatch(
    /^version 1\.0\.1 was not ready within 1 s and is stopped; version 1\.0\.0 goes on\./,
  )
  expect(live()).toBe(shop.ports[0])
  expect(await versionOn(shop.ports[0])).toBe('1.0.0')
  expect(await versionOn(shop.ports[1])).toBeNull()
  expect(await shop.deploy('rollback')).toEqual({ code: 1, output: 'there is no version to go back to\n' })

  expect(await shop.deploy('update', await shop.archive('1.1.0', ready))).toMatchObject({ code: 0 })
  expect(await failUpdate('1.2.0')).toMatchObject({ code: 1 })
  const back = await shop.deploy('rollback')

  expect(back.output).toMatch(/^version 1\.0\.0 serves$/m)
})

/** `0.0.0.0` is read like `::`, which also has quotes and brackets to lose. */
const HOSTS = ['127.0.0.2', '"::"', ...(isLongRun ? ['0.0.0.0'] : [])]

it.for(HOSTS)(
  'an update asks the new version on the address of HOST=%s that the shop listens on',
  async (host) => {
    await writeFile(join(shop.home, 'shop.env'), `HOST=${host}\n`)

    const update = await shop.deploy(
      'update',
      await shop.archive('1.1.0', server(200, host.replaceAll('"', ''))),
    )

    expect(update).toMatchObject({ code: 0 })
    const address = host === '127.0.0.2' ? host : '127.0.0.1'
    expect(await versionOn(shop.ports[1], address)).toBe('1.1.0')
  },
)

it('an update refuses what it cannot run, says why in one line, and leaves nothing of it', async () => {
  const refusalOf = async (archive: string) => {
    const { code, output } = await shop.deploy('update', archive)
    expect(code).toBe(1)
    expect(await readdir(join(shop.home, 'releases'))).toEqual(['1.0.0'])
    return output.trim().split('\n').at(-1)
  }

  const torn = join(shop.home, 'torn.tar')
  await writeFile(torn, 'not a tar archive')
  expect(await refusalOf(torn)).toBe(`${torn} cannot be unpacked: copy it again`)

  const archive = await shop.archive('1.1.0', ready)
  await writeFile(`${archive}.sha256`, `${'0'.repeat(64)}  ${archive.split('/').at(-1)}\n`)
  expect(await refusalOf(archive)).toBe(`${archive} is damaged: copy it again`)

  const altered = await shop.archive('1.1.1', ready)
  await writeFile(join(shop.home, 'made-1.1.1/deploy/start'), 'another program')
  await run('tar', ['-cf', altered, '-C', shop.home, 'made-1.1.1'])
  expect(await refusalOf(altered)).toBe(`${altered} is damaged: copy it again`)

  const other = spawn('flock', [join(shop.home, 'update.lock'), 'sh', '-c', 'echo locked; cat'])
  onTestFinished(() => void other.kill())
  await once(other.stdout, 'data')
  expect(await refusalOf(archive)).toBe('another update is running')
  other.stdin.end()
  await once(other, 'exit')

  expect(await refusalOf(await shop.archive('2.0.0', { ...ready, compatibleFrom: '2.0.0' }))).toMatch(
    /^version 2\.0\.0 cannot run beside version 1\.0\.0/,
  )
  expect(await refusalOf(await shop.archive('1.0.0', ready))).toMatch(/^version 1\.0\.0 is installed already/)
  expect(await refusalOf('/nowhere.tar')).toBe('there is no file /nowhere.tar')
  expect(await shop.deploy('rollback')).toEqual({ code: 1, output: 'there is no version to go back to\n' })
  expect(await versionOn(shop.ports[0])).toBe('1.0.0')
})

it('updates keep the running version, the one before it and the database’s', async () => {
  // The last one needs 1.9 at least, which is older than 1.10.
  for (const [version, compatibleFrom] of Object.entries({
    '1.9.0': '1.0.0',
    '1.10.0': '1.0.0',
    '1.11.0': '1.9.0',
  })) {
    // oxlint-disable-next-line no-await-in-loop -- one update after the other
    const update = await shop.deploy('update', await shop.archive(version, { ...ready, compatibleFrom }))
    expect(update).toMatchObject({ code: 0 })
  }

  expect((await readdir(join(shop.home, 'releases'))).toSorted()).toEqual(['1.0.0', '1.10.0', '1.11.0'])
  expect(await readlink(join(shop.home, 'database'))).toMatch(/1\.0\.0$/)
})
