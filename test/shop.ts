import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import type { ShopClient, ShopDatabase } from '#database'
import { pino } from 'pino'
import {
  type Backend,
  type ClientKeys,
  type DatabasePools,
  filesOf,
  type FileStore,
} from '@saltfreak/backend'
import { loadClientKeys, openTestTransport, runDueJobs } from '@saltfreak/backend/testing'
import { createApi, createServices } from '#server/api.ts'
import { parseSettings, type Settings } from '#server/settings.ts'
import type { ShopParts } from '#server/shop-parts.ts'
import { createTasks } from '#server/tasks.ts'
import { shopDatabase } from './database.ts'

/** Tests that send invalid data, or iterate over table names, pass an untyped client as `Client`. */
export interface Person<Client = ShopClient> {
  client: Client
  userId: string
  email: string
}

export interface TestShop<Client = ShopClient> {
  settings: Settings
  database: DatabasePools
  keys: ClientKeys
  files: FileStore
  backend: Backend
  /** Calls the shop's services as the web server does: `fetch('/rest/v1/products', …)`. */
  fetch(path: string | Request, init?: RequestInit): Promise<Response>
  /** The official client of a visitor. */
  client(): Client
  /** The official client with the secret key. */
  serviceClient(): Client
  /** A new customer, signed in. */
  signUp(email?: string): Promise<Person<Client>>
  /** Records that the person has followed a mailed link. */
  verifyMailbox(person: Pick<Person, 'userId' | 'email'>): Promise<void>
  /** A new admin, signed in. */
  admin(): Promise<Person<Client>>
  /** A new packer, signed in. */
  packer(): Promise<Person<Client>>
  /** Runs all due jobs, including new ones, until none is left. */
  runJobs(): Promise<void>
  close(): Promise<void>
}

export const PASSWORD = 'Correct-Horse-7'

/** Starts all services on their own shop database, in-process and without a port. */
export async function openShop(
  overrides: Partial<Settings> = {},
  fakes: Pick<ShopParts, 'spaceOf'> = {},
): Promise<TestShop> {
  const test = await shopDatabase()
  const { database } = test
  const dataDir = await mkdtemp(join(tmpdir(), 'shop-data-'))
  const settings = { ...parseSettings({}, dataDir), dataDir, ...overrides }
  const keys = await loadClientKeys(database.owner)
  const log = pino({ level: 'silent' })
  const closing = new AbortController()
  const files = filesOf(dataDir)
  const parts = { ...fakes, settings, database, files, keys, log, closing: closing.signal }
  const backend = createServices(parts)
  const api = createApi(parts, backend)
  const { tasks } = createTasks(parts, backend)

  const transport = openTestTransport((request, connection = { remoteAddress: '127.0.0.1' }) =>
    api.fetch(request, connection),
  )
  const fetch = async (path: string | Request, init?: RequestInit) => {
    const request = typeof path === 'string' ? new Request(new URL(path, settings.publicUrl), init) : path
    return api.fetch(request, { remoteAddress: '127.0.0.1' })
  }
  const clientWith = (key: string) =>
    createClient<ShopDatabase>(settings.publicUrl, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: transport.fetch },
    })

  async function signUp(email = `angler-${crypto.randomUUID()}@example.com`): Promise<Person> {
    const client = clientWith(keys.publishable)
    const { data, error } = await client.auth.signUp({ email, password: PASSWORD })
    if (error) throw error
    if (!data.user || !data.session) throw new Error('sign-up gave no session')
    return { client, userId: data.user.id, email }
  }

  async function employ(role: 'admin' | 'packer'): Promise<Person> {
    const person = await signUp(`${role}-${crypto.randomUUID()}@example.com`)
    await database.owner.query('insert into public.user_roles (user_id, role) values ($1, $2)', [
      person.userId,
      role,
    ])
    return person
  }

  return {
    settings,
    database,
    keys,
    files,
    backend,
    fetch,
    client: () => clientWith(keys.publishable),
    serviceClient: () => clientWith(keys.secret),
    signUp,
    async verifyMailbox({ userId, email }) {
      await database.owner.query(
        `insert into auth.mailbox_proofs (user_id, email, method) values ($1, lower($2), 'confirmation')`,
        [userId, email],
      )
    },
    admin: () => employ('admin'),
    packer: () => employ('packer'),
    runJobs: () => runDueJobs({ pool: database.owner, tasks, log }),
    async close() {
      closing.abort()
      await transport.close()
      await test.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
