import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { estimateMove, moveDatabase } from '@saltfreak/backend'
import { copyTemplate, databaseAt, loadClientKeys, onServer, openDatabase } from '@saltfreak/backend/testing'
import { beforeEach, expect, inject, it, onTestFinished, vi } from 'vitest'
import { targetUrl } from '../../../scripts/move/database.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { aBuyer, placeOrder } from '#test/buyer.ts'
import { runUntilExit } from '#test/running-shop.ts'

const serverUrl = inject('superuserUrl')

let dataDir: string
let databaseUrl: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'move-'))
  const name = `move_${randomUUID().replaceAll('-', '')}`
  await copyTemplate(serverUrl, 'shop', name)
  databaseUrl = databaseAt(serverUrl, name)
  return async () => {
    await onServer(serverUrl, (server) => server.query(`drop database ${name} with (force)`))
    await rm(dataDir, { recursive: true, force: true })
  }
})

function run(script: string, args: string[], env: Record<string, string> = {}) {
  return runUntilExit({ DATA_DIR: dataDir, ...env }, { program: `scripts/${script}.ts`, args })
}

it('moves a database into the data folder by command, after saying how long it takes, refuses the old one then, and says what is in the way of another move', async () => {
  const database = openDatabase(databaseUrl)
  await placeOrder(database, await aBuyer(database))
  await database.owner.query('create index added_by_hand on public.orders (notes)')
  const keys = await loadClientKeys(database.owner)
  await database.close()
  const external = { DATABASE_URL: databaseUrl }

  const announced = await run('move', ['database', 'embedded'], external)
  expect(announced.output).toMatch(
    /^\d+ tables with \d+\.\d MB\. The shop must be closed for about \d+ seconds\. .*\nNothing was changed\./,
  )
  const moved = await run('move', ['database', 'embedded', '--yes'], external)
  expect(moved.output).toMatch(
    /\ncompared 100 %\nCopied and compared \d+ rows of \d+ tables\.\nNot moved, because it does not belong to the shop: index public\.added_by_hand\nUnset DATABASE_URL/,
  )

  expect(JSON.parse((await run('keys', [])).output)).toEqual(keys)
  const former = await run('keys', [], external)
  expect(former).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^the database was moved to the embedded one: unset DATABASE_URL/),
  })
  const [own, embedded] = [databaseUrl, null].map((url) => ({ dataDir, databaseUrl: url }))
  if (!own || !embedded) throw new Error('there are two places')
  const application = await shopApplication()
  await expect(estimateMove({ from: embedded, to: own }, application)).rejects.toThrow(
    'the target is not empty: choose an empty database',
  )
  await rm(join(dataDir, 'database-moved.txt'))
  await expect(estimateMove({ from: own, to: embedded }, application)).rejects.toThrow(
    `the target is not empty: move the folder ${join(dataDir, 'postgres')} away first`,
  )
})

it('refuses the old database after a move that was interrupted at its end, and continues that move', async () => {
  const target = `target_${randomUUID().replaceAll('-', '')}`
  await copyTemplate(serverUrl, 'template1', target)
  onTestFinished(() => onServer(serverUrl, (server) => server.query(`drop database ${target} with (force)`)))
  const [from, to] = [databaseUrl, databaseAt(serverUrl, target)].map((url) => ({
    dataDir,
    databaseUrl: url,
  }))
  if (!from || !to) throw new Error('there are two places')
  const application = await shopApplication()
  // Connected before the move: after its first table, a connection could take longer than all others.
  const witness = new Client({ connectionString: to.databaseUrl })
  await witness.connect()
  /** Fails while the foreign keys are restored, which is the last step. */
  const interrupt = () =>
    witness.query(`insert into database_copy.restorations (statement) values ('select 1 / 0')`)
  let interrupting: Promise<unknown> | undefined
  const onProgress = () => {
    interrupting ??= interrupt()
  }

  await expect(moveDatabase({ from, to }, { application, onProgress })).rejects.toThrow('division by zero')

  await interrupting
  await witness.end()
  const marked = await readFile(join(dataDir, 'database-moved.txt'), 'utf8')
  expect(marked).toContain(target)
  await onServer(to.databaseUrl, (server) =>
    server.query(`delete from database_copy.restorations where statement = 'select 1 / 0'`),
  )
  expect((await moveDatabase({ from, to }, { application })).rows).toBeGreaterThan(0)
  await expect(moveDatabase({ from, to }, { application })).rejects.toThrow('the database was moved to')
})

it.each(['postgresql://shop:secret@db.example/shop', 'postgresql://shop@db.example/shop?password=secret'])(
  'refuses the password in the address %s, which every user of the machine could read',
  (address) => {
    expect(() => targetUrl(address)).toThrow(/^every user of this machine can read .* PGPASSWORD$/)
  },
)

it('moves a database to an address with the password of PGPASSWORD', () => {
  vi.stubEnv('PGPASSWORD', 'a@b:c')
  onTestFinished(() => void vi.unstubAllEnvs())

  expect(targetUrl('postgresql://shop@db.example/shop')).toBe('postgresql://shop:a%40b%3Ac@db.example/shop')
})
