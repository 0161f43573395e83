import { z } from 'zod'

import type { FramePayload } from './frame.ts'

/** Clients send flags as booleans or as text. */
const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
)
const text = z.string().max(8_192)

/** One check for all names, not one for each: thousands of wrong ones would take a tenth of a second to report. */
const columnNames = z.custom<string[]>(
  (value) =>
    Array.isArray(value) && value.length <= 1_000 && value.every((name) => text.safeParse(name).success),
  'Invalid input: expected at most 1000 column names',
)

/** One `.on('postgres_changes', …)`. The reply repeats it exactly, null or missing: the client compares both. */
const changes = z.object({
  event: text.optional(),
  schema: text.nullish(),
  table: text.nullish(),
  filter: text.nullish(),
  select: columnNames.nullish(),
})

export type ChangesRequest = z.infer<typeof changes>

const joinRequest = z.object({
  access_token: text.nullish(),
  user_token: text.nullish(),
  config: z
    .object({
      broadcast: z
        .object({
          ack: flag.default(false),
          self: flag.default(false),
          replication_ready: flag.default(false),
          replay: z.object({ since: z.number(), limit: z.int().min(1).max(25).default(25) }).nullish(),
        })
        .nullish(),
      presence: z.object({ key: text.nullish(), enabled: flag.default(false) }).nullish(),
      postgres_changes: z.array(changes.nullable()).max(100).nullish(),
      postgres_changes_options: z.object({ wait: flag.default(false) }).nullish(),
      private: flag.nullish(),
    })
    .nullish(),
})

export interface ReplayRequest {
  sinceMs: number
  limit: number
}

export interface JoinRequest {
  token: string | null
  hasConfig: boolean
  isPrivate: boolean
  changes: ChangesRequest[]
  waitsForChanges: boolean
  acknowledges: boolean
  receivesOwn: boolean
  wantsReadiness: boolean
  replay: ReplayRequest | null
  presence: { key: string | null; isEnabled: boolean }
}

/** Returns the request, or a message about the first error. */
export function parseJoin(payload: FramePayload): JoinRequest | string {
  const parsed = joinRequest.safeParse(payload)
  if (!parsed.success) {
    const [first] = parsed.error.issues
    return `${first?.path.join('.')}: ${first?.message}`
  }
  const { access_token, user_token, config } = parsed.data
  const { broadcast, presence } = config ?? {}
  return {
    token: access_token ?? user_token ?? null,
    hasConfig: Boolean(config),
    isPrivate: config?.private ?? false,
    changes: (config?.postgres_changes ?? []).filter((each) => each !== null),
    waitsForChanges: config?.postgres_changes_options?.wait ?? false,
    acknowledges: broadcast?.ack ?? false,
    receivesOwn: broadcast?.self ?? false,
    wantsReadiness: broadcast?.replication_ready ?? false,
    replay: broadcast?.replay ? { sinceMs: broadcast.replay.since, limit: broadcast.replay.limit } : null,
    presence: { key: presence?.key || null, isEnabled: presence?.enabled ?? false },
  }
}
