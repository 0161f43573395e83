import { STATUS_CODES } from 'node:http'
import { Hono, type Context } from 'hono'

import type { TextRow, Statement } from '#backend/database/pipeline.ts'
import type { DatabasePools } from '#backend/database/pool.ts'
import { visitor, type Caller } from '#backend/http/caller.ts'
import type { ListenerContext, EdgeVariables } from '#backend/http/edge.ts'
import { networkOf } from '#backend/http/network.ts'
import { TextResponse } from '#backend/http/text-response.ts'

import { fromDatabaseError } from './database-errors.ts'
import { internalError, invalidPath, NotInSchema, noRootSpecification, RestError } from './errors.ts'
import { asHeader } from './operations/headers.ts'
import type {
  RestResponse,
  Operation,
  PlanOperation,
  RestRequest,
  RestSettings,
} from './operations/operation.ts'
import { insertedRows, planFor, readRequest, type RequestLimits, type Target } from './read-request.ts'
import { SchemaCache } from './schema/cache.ts'
import { hasPatterns, refuseSlowWrite } from './request/pattern-length.ts'
import { refuseLargeSelect } from './request/select-size.ts'
import type { Schema } from './schema/model.ts'
import { runOperation } from './transaction.ts'
import type { Log } from '#backend/process/log.ts'

export interface RestOptions {
  database: DatabasePools
  log: Pick<Log, 'error'>
  /** Served schemas; the first is the default. */
  exposed?: RestSettings['exposed']
  /** Schemas on the search path after the requested one. */
  extraSearchPath?: string[]
  maxRows?: number | null
  allowsRollback?: boolean
  /** Applies to all callers; default: the roles' own settings. */
  statementTimeoutMs?: number
  limits?: Partial<RequestLimits>
  /** Stricter limits for callers without an account. */
  anonymous?: AnonymousLimits
  /** Statement timeout of other callers for reads that match patterns, unless theirs is shorter. Not for the secret key. */
  patternTimeoutMs?: number
  /**
   * SQL condition for staff, evaluated as the caller. Others are limited by `patternTimeoutMs` and get no planner's estimates as counts, which
   * include the rows that they may not see.
   */
  privileged?: string
  /** Refuses what makes a write slow: embedded rows, patterns and text searches. Not for the secret key. Default: false. */
  plainWrites?: boolean
  /** Refuses selects that multiply rows or columns. Not for the secret key. Default: false. */
  plainSelects?: boolean
  /** Ends the connection that listens for schema changes. */
  signal?: AbortSignal
}

interface AnonymousLimits extends Partial<RequestLimits> {
  statementTimeoutMs?: number
}

/** Middleware may set a statement that runs before the request's transaction (used for rate limits). */
export interface Preamble {
  /** Gets the number of inserted rows and the body. Runs as a transaction of its own in the same message; its error becomes the response. */
  preamble: ((rows: number, body: string) => Statement) | undefined
  /** Runs the request's transaction, perhaps later: the request has been received completely, so a slow sender delays only itself. */
  runInTurn?: RunInTurn
}

export type RunInTurn = <T>(work: () => Promise<T>) => Promise<T>

interface RestVariables {
  Bindings: ListenerContext | undefined
  Variables: Preamble & Partial<EdgeVariables> & { caller: Caller | undefined }
}

const LIMITS: RequestLimits = {
  bodyBytes: 1024 * 1024,
  urlCharacters: 32 * 1024,
  patternCharacters: Number.POSITIVE_INFINITY,
}
/** Not part of the path that SQL sees, as with the hosted gateway. */
const MOUNTED_AT = '/rest/v1'
/** The hosted product's default. */
const MAX_ROWS = 1000

interface Rest {
  database: DatabasePools
  settings: RestSettings
  limits: Record<Caller['role'], RequestLimits>
  plainWrites: boolean
  plainSelects: boolean
  /** By requested schema. */
  searchPaths: ReadonlyMap<string, string>
  /** Set in every transaction, after the role's own settings. */
  timeouts: Record<Caller['role'], Record<string, string>>
  /** Runs in the transactions of callers with an account that match patterns, after the role is set. */
  patternTimeout: Statement | undefined
  cache: SchemaCache
}

/** Serves `/rest/v1`; mount it at that path, behind the gateway that sets `caller`. */
export function createRest(options: RestOptions): Hono<RestVariables> {
  const { database, log, signal, maxRows = MAX_ROWS, allowsRollback = false } = options
  const { plainWrites = false, plainSelects = false, privileged = null } = options
  const { exposed = ['public'], extraSearchPath = ['public', 'extensions'] } = options
  const searchPath = [...new Set([...exposed, ...extraSearchPath])]
  const onError = (error: Error) => log.error({ err: error }, 'could not refresh the schema cache')
  const rest: Rest = {
    database,
    settings: { exposed, maxRows, allowsRollback, privileged },
    limits: limitsOf(options),
    plainWrites,
    plainSelects,
    searchPaths: new Map(exposed.map((name) => [name, quotedList([name, ...extraSearchPath])])),
    timeouts: timeoutsOf(options),
    patternTimeout: patternTimeoutOf(options),
    cache: new SchemaCache(database, { exposed, searchPath, onError, signal }),
  }

  const app = new Hono<RestVariables>()
  app.all('/rpc/:name', (c) => serve(rest, c, { kind: 'function', name: c.req.param('name') }))
  app.all('/:name', (c) => serve(rest, c, { kind: 'relation', name: c.req.param('name') }))
  app.all('/:path{.+}', () => {
    throw invalidPath()
  })
  app.all('*', () => {
    throw noRootSpecification()
  })
  app.onError((error, c) => {
    const isAnonymous = callerOf(c).role === 'anon'
    const known = error instanceof RestError ? error : fromDatabaseError(error, { isAnonymous })
    if (!known || known.status === 503) log.error({ err: error, path: c.req.path }, 'data request failed')
    return errorResponse(known ?? internalError(), c.req.method)
  })
  return app
}

function limitsOf({ limits, anonymous }: RestOptions): Rest['limits'] {
  const known = { ...LIMITS, ...limits }
  const { statementTimeoutMs: _, ...tighter } = anonymous ?? {}
  return { anon: { ...known, ...tighter }, authenticated: known, service_role: known }
}

function timeout(limitMs?: number): Record<string, string> {
  return limitMs ? { statement_timeout: String(limitMs) } : {}
}

function timeoutsOf({ statementTimeoutMs: ms, anonymous }: RestOptions): Rest['timeouts'] {
  return {
    anon: timeout(anonymous?.statementTimeoutMs ?? ms),
    authenticated: timeout(ms),
    service_role: timeout(ms),
  }
}

function patternTimeoutOf({ patternTimeoutMs, privileged = 'false' }: RestOptions): Statement | undefined {
  if (patternTimeoutMs === undefined) return undefined
  const text = `
    select set_config('statement_timeout', $1, true)
    where current_setting('statement_timeout')::interval not between '1 ms' and ($1 || ' ms')::interval and not (${privileged})`
  return { text, values: [String(patternTimeoutMs)] }
}

async function serve(rest: Rest, c: Context<RestVariables>, target: Target): Promise<Response> {
  const plan = planFor(c.req.method, target)
  const caller = callerOf(c)
  const request = await readRequest(c, {
    target,
    caller,
    settings: rest.settings,
    limits: rest.limits[caller.role],
  })
  const run: RequestRun = {
    plan,
    request,
    requestSettings: requestSettings(c),
    preamble: c.get('preamble')?.(insertedRows(request, target), request.body),
  }
  const runInTurn: RunInTurn = c.get('runInTurn') ?? ((work) => work())
  const { status, headers, cookies = [], body } = await runInTurn(() => runRequest(rest, run))
  const hasNoBody = c.req.method === 'HEAD' || status === 204
  // The web server sends an empty string with a content length of zero, but null as an empty chunked body.
  const response = respond(hasNoBody ? null : (body ?? ''), { status, headers: { ...VARY, ...headers } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** As PostgREST sends it: caches must keep the representations of a response apart. */
const VARY = { Vary: 'Accept, Prefer, Range' }

function callerOf(c: Context<RestVariables>): Caller {
  return c.get('caller') ?? visitor
}

/** Settings for SQL, such as `current_setting('request.headers')`. Only `request.network` is trustworthy; clients choose headers. */
function requestSettings(c: Context<RestVariables>): Record<string, string> {
  const { cookie, ...headers } = c.env?.headers ?? c.req.header()
  const cookies = (cookie ?? '').split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name.trim() ? [[name.trim(), value.join('=').trim()]] : []
  })
  const address = c.get('remoteAddress')
  return {
    'request.network': address ? networkOf(address) : '',
    'request.method': c.req.method,
    'request.path': c.req.path.slice(MOUNTED_AT.length),
    'request.headers': JSON.stringify(headers),
    'request.cookies': JSON.stringify(Object.fromEntries(cookies)),
  }
}

interface RequestRun {
  plan: PlanOperation
  request: RestRequest
  requestSettings: Record<string, string>
  preamble: Statement | undefined
}

/** Plans and runs the request. If a name is missing and the schema has changed since it was cached, it retries once. */
async function runRequest(rest: Rest, run: RequestRun): Promise<RestResponse> {
  const schema = await rest.cache.current()
  try {
    return await runWithSchema(schema, rest, run)
  } catch (error) {
    const newer = mayBeStale(error) ? await rest.cache.reloadIfNewer(schema) : null
    if (!newer) throw error
    return runWithSchema(newer, rest, run)
  }
}

async function runWithSchema(
  schema: Schema,
  { database, settings, plainWrites, plainSelects, searchPaths, timeouts, patternTimeout }: Rest,
  { plan, request, requestSettings: ofRequest, preamble }: RequestRun,
): Promise<RestResponse> {
  const { caller, preferences, schemaName, query } = request
  const isTrusted = caller.role === 'service_role'
  if (plainSelects && !isTrusted) refuseLargeSelect(query.select)
  const operation: Operation = plan(request, schema, settings)
  if (plainWrites && !isTrusted && !operation.isReadOnly) refuseSlowWrite(query)
  const rows: TextRow[][] = await runOperation(database, operation, {
    caller,
    rollsBack: preferences.tx === 'rollback',
    preamble,
    afterRole: caller.role === 'authenticated' && hasPatterns(query) ? patternTimeout : undefined,
    settings: {
      search_path: searchPaths.get(schemaName) ?? '',
      ...schema.roleSettings.get(caller.role),
      ...timeouts[caller.role],
      ...ofRequest,
    },
  })
  return operation.toResponse(rows)
}

const MISSING = new Set(['42P01', '42703', '42883', '42704'])

function mayBeStale(error: unknown): boolean {
  if (error instanceof NotInSchema) return true
  return error instanceof Error && 'code' in error && MISSING.has(String(error.code))
}

function quotedList(names: string[]): string {
  return [...new Set(names)].map((name) => `"${name.replaceAll('"', '""')}"`).join(', ')
}

function errorResponse({ status, body, headers }: RestError, method: string): Response {
  const text = method === 'HEAD' ? null : JSON.stringify(body)
  const ours = {
    'Content-Type': 'application/json; charset=utf-8',
    'Proxy-Status': asHeader(`PostgREST; error=${body.code}`),
  }
  return respond(text, { status, headers: { ...ours, ...headers } })
}

/** Sets the reason phrase, because the client shows it and in-process calls have no web server to add it. */
function respond(body: string | null, init: { status: number; headers: Record<string, string> }): Response {
  const named = { ...init, statusText: STATUS_CODES[init.status] ?? '' }
  return body === null ? new Response(null, named) : new TextResponse(body, named)
}
