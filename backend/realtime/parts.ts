import type { Database } from '#backend/database/pool.ts'
import type { Claims, VerifiedToken } from '#backend/http/tokens.ts'

import type { Feed } from './feed/feed.ts'
import type { Hub } from './hub.ts'
import type { Limits, Offers } from './limits.ts'

export interface RealtimeLog {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** What the operations on a channel need. */
export interface RealtimeParts {
  database: Database
  publication: string
  log: RealtimeLog
  limits: Limits
  offers: Offers
  hub: Hub
  feed: Feed
  checkToken: (token: string) => Promise<VerifiedToken>
  isRevoked: (claims: Claims) => Promise<boolean>
  /** Names this process to the others, for what it alone knows. */
  process: number
}
