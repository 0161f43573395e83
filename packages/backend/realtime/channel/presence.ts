import { randomUUID } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'
import { z } from 'zod'

import type { Statement } from '#backend/database/pipeline.ts'
import type { DatabasePools } from '#backend/database/pool.ts'
import { jsonObject, selectRows } from '#backend/database/select-rows.ts'

import { messageStatement, writeToFeed } from '../feed/write-messages.ts'
import type { Features, Limits } from '../limits.ts'
import { isRecord, type Frame } from '../protocol/frame.ts'
import { isJoined, push, type Channel } from './channel.ts'
import { mayWrite } from './rights.ts'
import type { Log } from '#backend/process/log.ts'

const PRESENCE_DIFF = 'presence_diff'

/** First key of the advisory locks that processes hold while they are alive. */
export const PRESENCE_LOCKS = 0x70726573

const presentRow = z.object({ key: z.string(), metas: z.array(jsonObject) })

type Tracked = Channel['presence']['tracked']

interface PresenceChange {
  leave: Tracked
  join: Tracked
}

interface PresencesOptions {
  owner: Pool
  /** Random id of this process; owns its presences and an advisory lock. */
  process: number
  log: Pick<Log, 'error' | 'warn'>
}

/** Writes who is present on this process's channels. */
export class Presences {
  readonly #owner: Pool
  readonly #process: number
  readonly #log: Pick<Log, 'error' | 'warn'>
  /** The newest write of each channel. */
  readonly #writes = new WeakMap<Channel, Promise<void>>()

  constructor({ owner, process, log }: PresencesOptions) {
    this.#owner = owner
    this.#process = process
    this.#log = log
  }

  async track(channel: Channel, meta: object): Promise<void> {
    const before = channel.presence.tracked
    const ref = randomUUID()
    const refs = { phx_ref: ref, ...(before && { phx_ref_prev: before.ref }) }
    const tracked = { ref, meta: JSON.stringify({ ...refs, ...meta }) }
    setTracked(channel, tracked)
    channel.presence.isEnabled = true
    await this.#change(channel, { leave: before, join: tracked })
  }

  async untrack(channel: Channel): Promise<void> {
    const before = channel.presence.tracked
    setTracked(channel, null)
    if (before) await this.#change(channel, { leave: before, join: null })
  }

  /** Untracks a closed channel; an error is only logged. */
  forget(channel: Channel): void {
    this.untrack(channel).catch((error: unknown) =>
      this.#log.error({ err: error }, 'Could not remove a presence'),
    )
  }

  /** Writes the presences again after a lost connection: other processes may have removed them. */
  async restore(channels: Channel[]): Promise<void> {
    for (const channel of channels) {
      const { tracked } = channel.presence
      if (tracked) await this.#change(channel, { leave: null, join: tracked })
    }
  }

  /** Writes a channel's changes one after the other: the deletion for a closed channel could overtake an insert that it must undo. */
  async #change(channel: Channel, change: PresenceChange): Promise<void> {
    const earlier = this.#writes.get(channel) ?? Promise.resolve()
    const write = earlier.catch(() => undefined).then(() => this.#write(channel, change))
    this.#writes.set(channel, write)
    await write
  }

  async #write(
    { name, isPrivate, presence: { key } }: Channel,
    { leave, join }: PresenceChange,
  ): Promise<void> {
    const statements: Statement[] = []
    if (leave)
      statements.push({ text: 'delete from realtime_feed.presences where ref = $1', values: [leave.ref] })
    if (join) {
      statements.push({
        text: `insert into realtime_feed.presences (ref, topic, is_private, key, meta, process)
               values ($1, $2, $3, $4, $5, $6) on conflict (ref) do nothing`,
        values: [join.ref, name, String(isPrivate), key, join.meta, String(this.#process)],
      })
    }
    const presencesOf = (tracked: Tracked) =>
      tracked ? `{${JSON.stringify(key)}:{"metas":[${tracked.meta}]}}` : '{}'
    const payload = `{"joins":${presencesOf(join)},"leaves":${presencesOf(leave)}}`
    const diff = messageStatement({
      topic: name,
      message: { event: PRESENCE_DIFF, isPrivate, isPresence: true },
      payload,
    })
    await writeToFeed(this.#owner, [...statements, diff])
  }

  async sendState(channel: Channel): Promise<void> {
    if (!channel.rights.maySeePresence) return
    const present = await selectRows(this.#owner, presentRow, [
      `select key, json_agg(meta) as metas from realtime_feed.presences
     where topic = $1 and is_private = $2 group by key`,
      channel.name,
      channel.isPrivate,
    ])
    push(channel, 'presence_state', Object.fromEntries(present.map(({ key, metas }) => [key, { metas }])))
  }

  /** Marks this process as alive for as long as the connection lasts. */
  async lock(client: ClientBase): Promise<void> {
    await client.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCKS, this.#process])
  }

  /** Must be called before the process ends. */
  async removeOwn(): Promise<void> {
    await this.#owner.query(removePresencesSql('process = $1'), [this.#process])
  }
}

function setTracked(channel: Channel, tracked: Tracked): void {
  channel.connection.countHeld(bytesOf(tracked) - bytesOf(channel.presence.tracked))
  channel.presence.tracked = tracked
}

/** V8 keeps text with two bytes for each character, unless all of them are Latin. */
function bytesOf(tracked: Tracked): number {
  return tracked ? 2 * tracked.meta.length : 0
}

export interface PresenceOptions {
  database: DatabasePools
  presences: Presences
  features: Pick<Features, 'presence'>
  limits: Pick<Limits, 'messageBytes'>
}

/** Handles `presence` with `track` or `untrack`. */
export async function presence(
  { database, presences, features, limits }: PresenceOptions,
  channel: Channel,
  frame: Frame,
): Promise<void> {
  const { connection } = channel
  if (!features.presence) return connection.reply(frame, 'error', { reason: 'Presence is disabled' })
  const { event, payload = {} } = await frame.readPayload()
  const action = typeof event === 'string' ? event.toLowerCase() : ''
  if (action === 'untrack') await presences.untrack(channel)
  else if (action !== 'track') return connection.reply(frame, 'error', {})
  else if (!isRecord(payload)) {
    return connection.reply(frame, 'error', { reason: 'Presence track payload must be a map' })
  } else if (Buffer.byteLength(JSON.stringify(payload)) > limits.messageBytes) {
    return connection.reply(frame, 'error', { reason: 'Track message size exceeded' })
  } else {
    channel.rights.mayTrack ??= await mayWrite(database, channel, 'presence')
    if (!channel.rights.mayTrack) return connection.reply(frame, 'error', {})
    if (!isJoined(channel)) return
    await presences.track(channel, payload)
  }
  connection.reply(frame, 'ok', {})
}

/** Removes the presences of processes that ended without cleanup. */
export async function removeDeadPresences(owner: Pool): Promise<void> {
  await owner.query(REMOVE_DEAD_PRESENCES, [PRESENCE_LOCKS])
}

function removePresencesSql(condition: string): string {
  return `
    with removed as (delete from realtime_feed.presences where ${condition} returning *),
    written as (
      insert into realtime_feed.entries (kind, topic, message, payload)
      select 'message', topic, json_build_object('event', '${PRESENCE_DIFF}', 'isPrivate', is_private, 'isPresence', true),
        json_build_object('joins', json_build_object(), 'leaves', json_build_object(key, json_build_object('metas', json_build_array(meta))))
      from removed returning id
    )
    select pg_notify('realtime_feed', '') from written limit 1`
}

/** `pg_locks` shows an advisory lock with two keys as classid and objid, with objsubid 2. */
const REMOVE_DEAD_PRESENCES = removePresencesSql(`process not in (
  select objid::bigint from pg_locks
  where locktype = 'advisory' and classid = $1::oid and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database()))`)
