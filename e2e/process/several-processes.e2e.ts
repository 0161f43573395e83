import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { listBackups } from '@saltfreak/backend'
import { freePort, postgresUrl, startPostgres } from '@saltfreak/backend/testing'
import { createClient } from '@supabase/supabase-js'
import { Client } from 'pg'
import type { ShopClient, ShopDatabase } from '#database'
import { openMailbox } from '#test/mailbox.ts'
import { type RunningShop, runUntilExit, startShop } from '#test/running-shop.ts'
import { answered } from './checkout.ts'
import { type OneConnection, openOneConnection } from './one-connection.ts'

const aMessage = { name: 'Thandi', email: 'thandi@example.com', subject: 'Poppers' }
const thandi = { email: 'thandi@example.com', password: 'salt-water-42' }

/** The process ids of the shop's children: node serves, PostgreSQL is one more. */
function childrenOf({ process: { pid } }: RunningShop): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(pid)], { encoding: 'utf8' })
  return Array.from(lines.matchAll(/^ *(\d+) (?:node|MainThread)/gm), ([, child]) => Number(child))
}

/** Returns a connection to each of the processes that serve the shop. */
async function connectToEach(shop: RunningShop): Promise<OneConnection[]> {
  const byProcess = new Map<string, OneConnection>()
  await expect
    .poll(
      async () => {
        const connection = openOneConnection()
        const { headers } = await connection.fetch(`${shop.url}/auth/v1/settings`)
        byProcess.set(await processThatAnswered(shop, headers), connection)
        return byProcess.size
      },
      { intervals: [0] },
    )
    .toBe(childrenOf(shop).length)
  return [...byProcess.values()]
}

async function processThatAnswered(shop: RunningShop, headers: Headers): Promise<string> {
  const line = new RegExp(`"pid":(\\d+),"id":"${headers.get('x-request-id')}"`)
  await expect.poll(() => shop.output(), { intervals: [20] }).toMatch(line)
  return line.exec(shop.output())?.[1] ?? ''
}

const ASKING = 4

/** Sends requests, each over a new connection, while `work` runs. */
async function askWhile(
  shop: RunningShop,
  work: (answers: () => number) => Promise<void>,
): Promise<{ answers: number; failures: unknown[] }> {
  let answers = 0
  const failures: unknown[] = []
  const closing = new AbortController()
  const asking = Array.from({ length: ASKING }, async () => {
    while (!closing.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      await fetch(`${shop.url}/auth/v1/health`, { headers: { connection: 'close' } }).then(
        () => (answers += 1),
        (error: unknown) => failures.push(error),
      )
    }
  })
  await expect.poll(() => answers).toBeGreaterThan(20)
  await work(() => answers)
  closing.abort()
  await Promise.all(asking)
  return { answers, failures }
}

async function clientOf(shop: RunningShop, connection: OneConnection, key?: string): Promise<ShopClient> {
  return createClient<ShopDatabase>(shop.url, key ?? (await shop.keys()).publishable, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: connection.fetch },
  })
}

test(
  'two processes share accounts, limits, live changes, pages and metrics, and a killed one is replaced',
  { tag: '@long' },
  async () => {
    test.setTimeout(120_000)
    const backups = await mkdtemp(join(tmpdir(), 'shop-processes-'))
    const shop = await startShop({ PROCESSES: '2', BACKUP_TO: backups })
    const connections = await connectToEach(shop)
    const [one, other] = await Promise.all(connections.map((connection) => clientOf(shop, connection)))
    const { secret } = await shop.keys()
    const staff = await Promise.all(connections.map((connection) => clientOf(shop, connection, secret)))
    if (!one || !other) throw new Error('there are no two processes')

    await test.step('an account that one process created signs in at the other, and its session ends in both', async () => {
      expect((await one.auth.signUp(thandi)).error).toBeNull()
      const { data } = await other.auth.signInWithPassword(thandi)
      expect((await one.auth.getUser(data.session?.access_token)).data.user?.email).toBe(thandi.email)

      await other.auth.signOut()
      const refreshed = await one.auth.refreshSession({ refresh_token: data.session?.refresh_token ?? '' })
      expect(refreshed.error?.code).toBe('refresh_token_not_found')
    })

    await test.step('a limit that one process has used up holds in the other', async () => {
      expect((await one.auth.resetPasswordForEmail(thandi.email)).error).toBeNull()
      expect((await other.auth.resetPasswordForEmail(thandi.email)).error?.status).toBe(429)
    })

    await test.step('a live connection receives what either process writes', async () => {
      const watching = createClient<ShopDatabase>(shop.url, secret, { auth: { persistSession: false } })
      const received: unknown[] = []
      await new Promise<void>((settle) => {
        watching
          .channel('messages')
          .on(
            'postgres_changes',
            { event: 'INSERT', schema: 'public', table: 'contact_submissions' },
            (change) => received.push(change.new['message']),
          )
          .on('system', {}, () => settle())
          .subscribe()
      })
      for (const [index, client] of staff.entries()) {
        // oxlint-disable-next-line no-await-in-loop -- one message after the other
        await answered(
          client
            .from('contact_submissions')
            .insert({ ...aMessage, message: `written by process ${index}` })
            .select(),
        )
      }
      await expect.poll(() => received).toEqual(['written by process 0', 'written by process 1'])
      await watching.removeAllChannels()
    })

    await test.step('a page that one process has cached shows what the other one changed', async () => {
      const path = `${shop.url}/products/chisel-nose-popper-150`
      for (const [index, connection] of connections.entries()) {
        // oxlint-disable no-await-in-loop -- one change after the other
        const page = async () => (await connection.fetch(path)).text()
        await page()
        const name = `Popper seen by process ${index}`
        const products = staff.at(1 - index)?.from('products')
        await products?.update({ description: name }).eq('slug', 'chisel-nose-popper-150').throwOnError()
        await expect.poll(page).toContain(name)
        // oxlint-enable no-await-in-loop
      }
    })

    let pagesBefore = 0
    await test.step('one process keeps the backups, and either one shows the metrics of both', async () => {
      await expect.poll(() => shop.output(), { timeout: 30_000 }).toContain('made a backup')
      const [first, second] = await Promise.all(
        connections.map((connection) => metricsFrom(shop, connection.fetch)),
      )
      expect(first).toMatchObject({ processes: 2, isDatabaseUp: 1 })
      // Both processes have served two at least.
      expect(first?.pages).toBeGreaterThanOrEqual(4)
      expect(second).toEqual(first)
      pagesBefore = first?.pages ?? 0
    })

    await test.step('requests go on while a killed process is replaced', async () => {
      const [victim = 0] = childrenOf(shop)
      const before = childrenOf(shop)
      const { answers, failures } = await askWhile(shop, async (answersSoFar) => {
        process.kill(victim, 'SIGKILL')
        await expect
          .poll(() => /"ended":(\d+),"reason":"ended by SIGKILL"/.exec(shop.output())?.[1])
          .toBe(String(victim))
        const answersThen = answersSoFar()
        await expect.poll(() => childrenOf(shop).length).toBe(2)
        await connectToEach(shop)
        expect(answersSoFar()).toBeGreaterThan(answersThen)
      })

      expect(answers).toBeGreaterThan(20)
      // Those that the killed process was working on.
      expect(failures.length).toBeLessThanOrEqual(ASKING)
      const after = childrenOf(shop)
      expect(after).toHaveLength(before.length)
      expect(after).not.toContain(victim)
      // A smaller sum would read as a restart of all.
      const { pages, ends } = await metricsFrom(shop)
      expect(pages).toBeGreaterThanOrEqual(pagesBefore)
      expect(ends).toBe(1)
    })

    await test.step('one process that is stopped finishes its requests, and is replaced', async () => {
      const [stopped = 0] = childrenOf(shop)
      const { failures } = await askWhile(shop, async () => {
        process.kill(stopped, 'SIGTERM')
        await expect.poll(() => shop.output()).toContain(`"ended":${stopped},"reason":"exit code 0"`)
        await expect.poll(() => childrenOf(shop).length).toBe(2)
        await connectToEach(shop)
      })

      expect(failures).toEqual([])
      expect(childrenOf(shop)).not.toContain(stopped)
    })

    await test.step('all processes stop cleanly, with one backup made', async () => {
      const children = childrenOf(shop)
      expect(await shop.stop()).toBe(0)
      expect(children.filter(isRunning)).toEqual([])
      expect(await listBackups(backups)).toHaveLength(1)
      expect(shop.output().match(/"msg":"made a backup"/g)).toHaveLength(1)
    })
    for (const connection of connections) connection.close()
    await rm(backups, { recursive: true })
  },
)

test('a process that fails in its start ends the whole shop with one line', { tag: '@long' }, async () => {
  const failing = `import cluster from 'node:cluster'; if (cluster.isWorker) { console.error('this one is broken'); process.exit(1) }`
  const folder = await mkdtemp(join(tmpdir(), 'shop-processes-'))

  const { code, output } = await runUntilExit({
    PROCESSES: '3',
    PORT: String(await freePort()),
    DATA_DIR: folder,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(failing)}`,
  })

  expect(output).toBe('this one is broken\n')
  expect(code).toBe(1)
  await rm(folder, { recursive: true })
})

test(
  'a shop with ROLE=web leaves its mails to one with ROLE=worker, which serves no pages',
  { tag: '@long' },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shop-roles-'))
    const [postgres, mailbox] = await Promise.all([startPostgres(folder, { durable: false }), openMailbox()])
    const env = { DATABASE_URL: postgresUrl(postgres, 'supabase_admin'), SMTP_URL: mailbox.smtpUrl }
    const web = await startShop({ ...env, ROLE: 'web' })
    const visitor = createClient(web.url, (await web.keys()).publishable, { auth: { persistSession: false } })
    await visitor.auth.signUp(thandi)
    expect((await visitor.auth.resetPasswordForEmail(thandi.email)).error).toBeNull()

    const worker = await startShop({ ...env, ROLE: 'worker' })
    await mailbox.waitFor(({ recipients }) => recipients.includes(thandi.email))

    expect(web.output()).not.toMatch(/"task":|an e-mail/)
    expect(await sessionsThatListenForJobs(env.DATABASE_URL)).toBe(1)
    expect(await statusesOf(worker.url)).toEqual({
      '/readyz': 200,
      '/metrics': 200,
      '/products': 404,
      '/auth/v1/health': 404,
    })
    expect(await statusesOf(web.url)).toMatchObject({ '/readyz': 200, '/products': 200 })
    expect((await fetch(`${worker.url}/products`)).headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/)
    await Promise.all([web.stop(), worker.stop(), mailbox.close()])
    await postgres.stop()
    await rm(folder, { recursive: true })
  },
)

async function statusesOf(url: string): Promise<Record<string, number>> {
  const paths = ['/readyz', '/metrics', '/products', '/auth/v1/health']
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, (await fetch(url + path)).status] as const)),
  )
}

async function sessionsThatListenForJobs(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(
    `select from pg_stat_activity where query ilike 'listen "jobs:insert"%'`,
  )
  await client.end()
  return rowCount ?? 0
}

async function metricsFrom({ url }: RunningShop, ask: typeof fetch = fetch) {
  const text = await (await ask(`${url}/metrics`)).text()
  const read = (sample: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${sample} `))
        ?.split(' ')[1],
    )
  return {
    processes: read('shop_processes'),
    ends: read('shop_process_ends_total'),
    isDatabaseUp: read('shop_database_up'),
    pages: read('shop_request_duration_seconds_count{route="page",status="2xx"}'),
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
