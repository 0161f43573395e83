import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { findRunningPostgres } from '#backend/database/embedded.ts'
import { freePort } from '#backend/process/free-port.ts'
import { isLongRun } from '#backend/testing/property-runs.ts'
import {
  NODE_FLAGS,
  runBackend,
  startBackend,
  type RunningBackend,
} from '#backend/testing/running-backend.ts'
import { launchProgram, waitForOutput } from '#backend/testing/running-process.ts'

const JWT_SECRET = 'a-shared-secret-of-the-old-kind-which-is-long'

const SCHEMA = `
  create schema harbour;
  create table harbour.boats (
    id       int generated always as identity primary key,
    name     text not null unique,
    owner_id uuid
  );
  create table harbour.trips (
    id      int generated always as identity primary key,
    boat_id int not null references harbour.boats,
    days    int not null
  );
  insert into harbour.boats (name) values ('Albatross'), ('Bonito'), ('Curlew');
  insert into harbour.trips (boat_id, days) values (1, 3), (1, 5);
  create function harbour.dawdle() returns void language sql as 'select pg_sleep(5)';
`

/** SQL that the operator runs after the roles exist. */
const RIGHTS = `
  alter table harbour.boats enable row level security;
  create policy select_all on harbour.boats for select using (true);
  create policy insert_own on harbour.boats for insert to authenticated with check (owner_id = auth.uid());
  grant usage on schema harbour to anon, authenticated, service_role;
  grant all on all tables in schema harbour to anon, authenticated, service_role;
  notify pgrst, 'reload schema';
`

let backend: RunningBackend
let functionsFolder: string
let texts: Server
const texted: { to: string; channel: string; code: string }[] = []

beforeAll(async () => {
  functionsFolder = await mkdtemp(join(tmpdir(), 'functions-'))
  await mkdir(join(functionsFolder, 'hello'))
  await writeFile(
    join(functionsFolder, 'hello/index.js'),
    `export default async (request, { caller }) => Response.json({ hello: (await request.json()).name, as: caller.role })`,
  )
  texts = createServer(async (request, response) => {
    const chunks = await request.toArray()
    texted.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(texts, 'listening')
  const address = texts.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const options = {
    schemas: 'harbour',
    'statement-timeout': '300',
    'max-rows': '2',
    'jwt-secret': JWT_SECRET,
    'functions-dir': functionsFolder,
    'site-url': 'https://harbour.example',
    'redirect-allow-list': 'https://*.harbour.example/**',
    'phone-webhook-url': `http://127.0.0.1:${port}/texts`,
    'limit-mails': '100/60',
  }
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  backend = await startBackend(SCHEMA, [...flags, '--allow-rollback', '--no-autoconfirm'])
  await backend.sql(RIGHTS)
})
afterAll(async () => {
  await backend?.stop()
  texts.close()
  await rm(functionsFolder, { recursive: true })
})

function client(key = backend.keys.publishable) {
  return createClient(backend.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    db: { schema: 'harbour' },
  })
}

interface KeptMail {
  kind: string
  to: string
  code: string
  link: string
}

async function mailsTo(address: string): Promise<KeptMail[]> {
  const lines = (await readFile(join(backend.dataDir, 'mails.jsonl'), 'utf8')).trim().split('\n')
  return lines.map((line): KeptMail => JSON.parse(line)).filter(({ to }) => to === address)
}

async function mailTo(address: string): Promise<KeptMail> {
  return vi.waitFor(
    async () => {
      const mail = (await mailsTo(address)).at(-1)
      if (!mail) throw new Error(`no mail to ${address} yet`)
      return mail
    },
    { timeout: 30_000 },
  )
}

async function recoveryLinks(address: string): Promise<string[]> {
  return (await mailsTo(address)).filter(({ kind }) => kind === 'recovery').map(({ link }) => link)
}

async function aSailor(email: string) {
  const sailor = client()
  await sailor.auth.signUp({ email, password: 'salt-water-42' })
  const { code } = await mailTo(email)
  const { data, error } = await sailor.auth.verifyOtp({ email, token: code, type: 'signup' })
  if (error || !data.user) throw error
  return { sailor, id: data.user.id }
}

/** Creates a legacy key or token of the hosted product. */
function legacy(claims: object): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha256', JWT_SECRET).update(text).digest('base64url')}`
}

describe('the backend on a new database', () => {
  it('serves the tables of the database under the row-level policies', async () => {
    const { sailor, id } = await aSailor('thandi@example.com')

    const read = await client().from('boats').select('name, trips(days)').eq('name', 'Albatross').single()
    const own = await sailor.from('boats').insert({ name: 'Cormorant', owner_id: id }).select('name').single()
    const foreign = await sailor.from('boats').insert({ name: 'Dorado', owner_id: crypto.randomUUID() })
    const visitor = await client().from('boats').insert({ name: 'Egret', owner_id: id })

    expect(read.data).toEqual({ name: 'Albatross', trips: [{ days: 3 }, { days: 5 }] })
    expect(own.data).toEqual({ name: 'Cormorant' })
    expect([foreign.status, visitor.status]).toEqual([403, 401])
  })

  it('serves the configured schemas, row limit and statement timeout', async () => {
    const capped = await client().from('boats').select('name')
    const slow = await client(backend.keys.secret).rpc('dawdle')
    const unserved = await client().schema('public').from('boats').select()

    expect(capped.data).toHaveLength(2)
    expect([slow.status, slow.error?.code]).toEqual([500, '57014'])
    expect(unserved.error?.code).toBe('PGRST106')
  })

  it('rolls back requests that prefer tx=rollback', async () => {
    const service = client(backend.keys.secret)

    const tried = await service.from('boats').insert({ name: 'Fulmar' }).rollback().select('name').single()

    expect(tried.data).toEqual({ name: 'Fulmar' })
    expect((await service.from('boats').select('name').eq('name', 'Fulmar')).data).toEqual([])
  })

  it('accepts legacy API keys and access tokens', async () => {
    const read = await client(legacy({ role: 'anon' }))
      .from('boats')
      .select('name')
      .limit(1)
    const users = await client(legacy({ role: 'service_role' })).auth.admin.listUsers()
    const buckets = await client(legacy({ role: 'service_role' })).storage.listBuckets()
    const forged = await client(`${legacy({ role: 'service_role' })}x`)
      .from('boats')
      .select('name')

    expect(read.status).toBe(200)
    expect(users.error).toBeNull()
    expect(buckets.error).toBeNull()
    expect(forged.status).toBe(401)
  })

  it('mails links to allowed targets only', async () => {
    const { sailor } = await aSailor('sipho@example.com')
    const linkAfter = async (redirectTo: string) => {
      const { length: before } = await recoveryLinks('sipho@example.com')
      await sailor.auth.resetPasswordForEmail('sipho@example.com', { redirectTo })
      return vi.waitFor(
        async () => {
          const links = await recoveryLinks('sipho@example.com')
          expect(links).toHaveLength(before + 1)
          return new URL(links.at(-1) ?? '')
        },
        { timeout: 30_000 },
      )
    }

    const allowed = await linkAfter('https://app.harbour.example/reset')

    expect(`${allowed.origin}${allowed.pathname}`).toBe(`${backend.url}/auth/v1/confirm`)
    expect(allowed.searchParams.get('redirect_to')).toBe('https://app.harbour.example/reset')
    expect((await linkAfter('https://thief.example/')).searchParams.get('redirect_to')).toBe(
      'https://harbour.example',
    )
  })

  it('sends phone codes to the webhook', async () => {
    const { sailor } = await aSailor('pieter@example.com')

    const { data } = await sailor.auth.mfa.enroll({ factorType: 'phone', phone: '+27825550148' })
    await sailor.auth.mfa.challenge({ factorId: data?.id ?? '' })

    await vi.waitFor(
      () => expect(texted).toEqual([{ to: '+27825550148', channel: 'sms', code: expect.any(String) }]),
      { timeout: 30_000 },
    )
  })

  it('stores and returns uploaded files', async () => {
    const service = client(backend.keys.secret)
    await service.storage.createBucket('logs', { public: true })

    await service.storage.from('logs').upload('2026/november.txt', 'calm', { contentType: 'text/plain' })
    const { publicUrl } = service.storage.from('logs').getPublicUrl('2026/november.txt').data

    expect(await (await fetch(publicUrl)).text()).toBe('calm')
  })

  it('runs server functions from a folder', async () => {
    const known = await client().functions.invoke('hello', { body: { name: 'Thandi' } })
    const unknown = await client().functions.invoke('goodbye', { body: {} })

    expect(known.data).toEqual({ hello: 'Thandi', as: 'anon' })
    expect(unknown.response?.status).toBe(404)
  })

  it('prints the API keys again with --print-keys', async () => {
    const { output } = await runBackend(['--print-keys'], { DATABASE_URL: backend.databaseUrl })

    expect(JSON.parse(output)).toEqual(backend.keys)
  })
})

describe('a start with invalid options', () => {
  it('ends with one line that explains what is invalid', async () => {
    expect(await runBackend(['--jwt-secret=short', '--database-url', 'postgresql://x@localhost/x'])).toEqual({
      code: 1,
      output: '--jwt-secret (or JWT_SECRET) must be at least 32 characters\n',
    })
  })

  it('names the data folder that cannot be created', async () => {
    const url = 'postgresql://user@localhost:1/database'
    const port = String(await freePort())
    const args = ['--database-url', url, '--port', port, '--data-dir', '/dev/null/data']
    expect(await runBackend(args)).toEqual({
      code: 1,
      output: `--data-dir: cannot create the folder /dev/null/data/storage (ENOTDIR)\n`,
    })
  })
})

// A closing terminal sends SIGHUP, which is easily forgotten.
it.each(isLongRun ? (['SIGINT', 'SIGHUP'] as const) : (['SIGHUP'] as const))(
  'stops the PostgreSQL for trying the backend out on %s',
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'tried-'))
    const { process: command } = launchProgram({
      folder,
      args: [...NODE_FLAGS, join(import.meta.dirname, '../../standalone/postgres.ts')],
      env: { POSTGRES_PORT: String(await freePort()) },
    })
    const ended = once(command, 'exit')
    expect(await waitForOutput(command, /PostgreSQL is listening at/)).toBe(true)
    expect(await findRunningPostgres(join(folder, 'data'))).not.toBeNull()

    command.kill(signal)
    expect(await ended).toEqual([0, null])
    expect(await findRunningPostgres(join(folder, 'data'))).toBeNull()
    await rm(folder, { recursive: true })
  },
)

it('runs the application of the README, where each account sees its own notes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'example-'))
  const port = String(await freePort())
  const { process: example, output } = launchProgram({
    folder,
    args: [...NODE_FLAGS, join(import.meta.dirname, '../../example/server.ts')],
    env: { PORT: port },
  })
  const ended = once(example, 'exit')
  expect(await waitForOutput(example, /publishable key/), output()).toBe(true)
  const url = `http://localhost:${port}`
  const key = /publishable key (\S+)/.exec(output())?.[1] ?? ''
  const signUp = async (email: string) => {
    const account = createClient(url, key, { auth: { persistSession: false } })
    expect((await account.auth.signUp({ email, password: 'salt-water-42' })).error).toBeNull()
    return account
  }
  const [sipho, thandi] = [await signUp('sipho@example.com'), await signUp('thandi@example.com')]

  expect((await sipho.from('notes').insert({ body: 'Mullet, 4 kg' })).error).toBeNull()
  expect([(await sipho.rpc('count_notes')).data, (await thandi.rpc('count_notes')).data]).toEqual([1, 0])
  expect((await thandi.from('notes').select()).data).toEqual([])
  expect(await (await fetch(`${url}/hello`, { headers: { apikey: key } })).text()).toBe(
    'Hello from the notes.',
  )

  example.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await rm(folder, { recursive: true })
})
