import { randomUUID } from 'node:crypto'
import { DatabaseError, type Pool, type PoolClient } from 'pg'

import { runPipeline } from '#backend/database/pipeline.ts'
import type { DatabasePools } from '#backend/database/pool.ts'
import { asText, selectValues } from '#backend/database/select-rows.ts'
import { inRolledBackTransaction } from '#backend/database/transaction.ts'
import { becomeCaller, type Caller } from '#backend/http/caller.ts'

import type { ChannelRights } from './channel.ts'

/** Policies read the channel's name from `realtime.topic()`. */
export interface ChannelCaller {
  caller: Caller
  name: string
}

const INSERT = 'insert into realtime.messages (id, topic, extension) values ($1, $2, $3)'

/** Checks what the caller may receive: inserts probe messages, selects them as the caller, and rolls back. */
export async function readRights(
  database: DatabasePools,
  { caller, name }: ChannelCaller,
): Promise<ChannelRights> {
  const probes = { broadcast: randomUUID(), presence: randomUUID() }
  const visible = await attempt(database.owner, async (client) => {
    for (const [extension, id] of Object.entries(probes)) await client.query(INSERT, [id, name, extension])
    await setCaller(client, { caller, name })
    const received = await selectValues(client, asText, [
      'select id from realtime.messages where id = any($1)',
      Object.values(probes),
    ])
    return new Set(received)
  })
  return {
    mayReceive: visible?.has(probes.broadcast) ?? false,
    maySeePresence: visible?.has(probes.presence) ?? false,
    maySend: null,
    mayTrack: null,
  }
}

/** Checks whether the caller may send: inserts a probe message as the caller and rolls back. */
export async function mayWrite(
  database: DatabasePools,
  { caller, name }: ChannelCaller,
  extension: 'broadcast' | 'presence',
): Promise<boolean> {
  const written = await attempt(database.owner, async (client) => {
    await setCaller(client, { caller, name })
    await client.query(INSERT, [randomUUID(), name, extension])
    return true
  })
  return written ?? false
}

async function setCaller(client: PoolClient, { caller, name }: ChannelCaller): Promise<void> {
  await runPipeline(client, [becomeCaller(caller, { settings: { 'realtime.topic': name } })])
}

/** Returns null when PostgreSQL raises an error, as for a refusing policy. */
async function attempt<T>(owner: Pool, work: (client: PoolClient) => Promise<T>): Promise<T | null> {
  try {
    return await inRolledBackTransaction(owner, 'begin', work)
  } catch (error) {
    if (error instanceof DatabaseError) return null
    throw error
  }
}
