import { randomUUID } from 'node:crypto'
import { DatabaseError, type PoolClient } from 'pg'

import { runPipeline } from '#backend/database/pipeline.ts'
import type { Database } from '#backend/database/pool.ts'
import { becomeCaller, type Caller } from '#backend/http/caller.ts'

import type { ChannelRights } from './channel.ts'

/** Who asks, and for which channel: policies read its name from `realtime.topic()`. */
export interface Asking {
  caller: Caller
  name: string
}

const INSERT = 'insert into realtime.messages (id, topic, extension) values ($1, $2, $3)'

/** What the policies on `realtime.messages` let the caller hear: messages are written, looked for, and never were. */
export async function readRights(database: Database, { caller, name }: Asking): Promise<ChannelRights> {
  const probes = { broadcast: randomUUID(), presence: randomUUID() }
  const visible = await rehearse(database, async (client) => {
    for (const [extension, id] of Object.entries(probes)) await client.query(INSERT, [id, name, extension])
    await become(client, { caller, name })
    const { rows } = await client.query<{ id: string }>(
      'select id from realtime.messages where id = any($1)',
      [Object.values(probes)],
    )
    return new Set(rows.map(({ id }) => id))
  })
  return {
    hears: visible?.has(probes.broadcast) ?? false,
    seesPresence: visible?.has(probes.presence) ?? false,
    speaks: null,
    tracks: null,
  }
}

/** Whether the caller may say something on the channel. */
export async function mayWrite(
  database: Database,
  { caller, name }: Asking,
  extension: 'broadcast' | 'presence',
): Promise<boolean> {
  const written = await rehearse(database, async (client) => {
    await become(client, { caller, name })
    await client.query(INSERT, [randomUUID(), name, extension])
    return true
  })
  return written ?? false
}

async function become(client: PoolClient, { caller, name }: Asking): Promise<void> {
  await runPipeline(client, [becomeCaller(caller, { settings: { 'realtime.topic': name } })])
}

/** Does the work and undoes it. Null when a policy, or what it calls, refuses. */
async function rehearse<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T | null> {
  const client = await database.owner.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    return await work(client)
  } catch (error) {
    if (error instanceof DatabaseError) return null
    throw error
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error
    })
    client.release(broken)
  }
}
