import { Hono } from 'hono'
import type { Logger } from 'pino'
import type { ClientKeys } from '#backend/auth/keys/client-keys.ts'
import type { Database } from '#backend/database/pool.ts'
import { type Connection, type EdgeVariables, findRemoteAddress, nameRequest } from './edge.ts'
import { createHealth } from './health.ts'
import type { Settings } from './settings.ts'

export interface ShopParts {
  settings: Settings
  database: Database
  keys: ClientKeys
  log: Logger
}

export type ShopApi = Hono<{ Bindings: Connection | undefined; Variables: EdgeVariables }>

/** Every service at its path, without the pages. */
export function createApi({ settings, database }: ShopParts): ShopApi {
  const api: ShopApi = new Hono()
  api.use(nameRequest(settings), findRemoteAddress(settings))
  api.route('/', createHealth(database))
  return api
}
