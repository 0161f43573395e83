import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import { selectRow } from '../select-rows.ts'
import { hostOf, serverAddress } from './addresses.ts'

/** Enough for a pooler that hands out its server connections in turn. */
const ROUNDS = 10

const pidRow = z.object({ pid: z.number() })
const markRow = z.object({ mark: z.string().nullable() })

/**
 * Throws unless `url` leads to PostgreSQL itself, or to a pooler that gives each client a connection of its own (session mode). The
 * shop depends on sessions: settings from `options`, prepared statements, LISTEN and advisory locks. A pooler in transaction mode
 * mixes up the sessions of its clients, mostly without an error.
 */
export async function requireSessions(url: string): Promise<void> {
  const mark = randomBytes(8).toString('hex')
  const clients = await Promise.all([connect(url, mark), connect(url, mark)])
  try {
    const [one, other] = clients
    // Of PostgreSQL itself, a connection names the process.
    if ((await pidOf(one)) === processIdOf(one)) return
    const mode = await sharingMode(one, other)
    if (mode) throw poolerProblem(url, `is in ${mode} mode`)
    const row = await selectRow(one, markRow, [`select current_setting('pooler.mark', true) as mark`])
    if (row.mark !== mark) throw poolerProblem(url, 'ignores the settings of a connection (options)')
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

/** Returns the mode in which two clients of a pooler get the same server connection in turn; null when each has its own. */
async function sharingMode(one: Client, other: Client): Promise<'transaction' | 'statement' | null> {
  for (let round = 0; round < ROUNDS; round += 1) {
    // oxlint-disable no-await-in-loop -- one client asks after the other
    const first = await pidOf(one)
    // PgBouncer refuses every transaction in this mode.
    if (!(await begins(other))) return 'statement'
    const second = await pidOf(other)
    const again = await pidOf(one)
    await other.query('commit')
    // oxlint-enable no-await-in-loop
    if (first === second || first !== again) return 'transaction'
  }
  return null
}

function begins(client: Client): Promise<boolean> {
  return client.query('begin').then(
    () => true,
    () => false,
  )
}

async function pidOf(client: Client): Promise<number> {
  return (await selectRow(client, pidRow, ['select pg_backend_pid() as pid'])).pid
}

async function connect(url: string, mark: string): Promise<Client> {
  const { options, ...address } = serverAddress(url)
  const client = new Client({
    ...address,
    connectionTimeoutMillis: 10_000,
    options: `${options} -c pooler.mark=${mark}`.trim(),
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    if (error instanceof Error && /startup parameter/.test(error.message)) {
      throw poolerProblem(url, 'refuses the settings of a connection (options)')
    }
    throw error
  }
}

function poolerProblem(url: string, what: string): DatabaseProblem {
  return new DatabaseProblem(
    `at ${hostOf(url)} answers a connection pooler that ${what}: let DATABASE_URL name PostgreSQL itself, whose connections the shop pools already`,
  )
}

/** The process that the server named when the connection began. */
function processIdOf(client: Client): unknown {
  return 'processID' in client ? client.processID : null
}
