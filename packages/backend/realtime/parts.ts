import type { DatabasePools } from '#backend/database/pool.ts'
import type { Claims, VerifiedToken } from '#backend/http/tokens.ts'

import type { Feed } from './feed/feed.ts'
import type { Hub } from './hub.ts'
import type { Limits, Features } from './limits.ts'

export interface RealtimeLog {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Dependencies of the operations on a channel. */
export interface RealtimeParts {
  database: DatabasePools
  publication: string
  log: RealtimeLog
  limits: Limits
  features: Features
  hub: Hub
  feed: Feed
  checkToken: (token: string) => Promise<VerifiedToken>
  isRevoked: (claims: Claims) => Promise<boolean>
  /** Random id of this process; owns presences and an advisory lock. */
  process: number
}
