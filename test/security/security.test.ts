import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FunctionsHttpError } from '@supabase/supabase-js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { functions } from '#functions/index.ts'
import { createApi } from '#server/api.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { knownBuckets, limitRows } from './limits.ts'
import {
  accountFunctions,
  functionCallers,
  otherRoutes,
  routeGroups,
  visitorFunctions,
  visitorInserts,
} from './routes.ts'
import { withGeneratedParts } from './tables.ts'

const project = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')
const SERVER_CODE = '{packages,server,payments,emails,supabase/functions}/**/*.ts'
const sources = globSync(SERVER_CODE, { cwd: project }).filter(
  (path) => !/\.test\.|\/(attacks|testing|bench)\//.test(path),
)

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

describe('the table of limits', () => {
  it('matches docs/security.md with the code’s limits (update: `node scripts/write-security-tables.ts`)', () => {
    const page = read('docs/security.md')

    expect(page).toBe(withGeneratedParts(page))
    expect(page).toContain(limitRows.at(-1)?.name)
  })

  it('names in the table of limits only source files that exist', () => {
    expect(limitRows.map(({ source }) => source).filter((path) => !existsSync(join(project, path)))).toEqual(
      [],
    )
  })

  it('has a table row for every rate limit bucket in the code', () => {
    const buckets = sources.flatMap((path) =>
      [...read(path).matchAll(/bucket: ['`]([^'`]+)['`]/g)].map(([, bucket]) => bucket ?? ''),
    )

    expect(buckets.length).toBeGreaterThan(10)
    // Two of the sample data are buckets for files.
    const files = new Set(['catalogue', 'site'])
    expect(buckets.filter((bucket) => !knownBuckets.has(bucket) && !files.has(bucket))).toEqual([])
  })

  it('declares rate limits only in the server files that the table of limits reads', () => {
    const declaring = sources.filter((path) => /\btries: [\d_]+,/.test(read(path)))

    expect(declaring.toSorted()).toEqual([
      'packages/backend/auth/limits/default-limits.ts',
      'server/limits.ts',
    ])
  })
})

/** Whether the role of this person is too low for a server function. */
async function isForbidden({ client }: Pick<Person, 'client'>, name: string): Promise<boolean> {
  const { error } = await client.functions.invoke(name, { body: {} })
  return (
    error instanceof FunctionsHttpError && error.context instanceof Response && error.context.status === 403
  )
}

/** A function also serves the paths below its own. */
const FUNCTIONS = 'ALL /functions/v1/:name/*'

describe('the table of routes', () => {
  it('lists every route of every service with callers and limits', () => {
    const { settings, database, keys, files } = shop
    const api = createApi({ settings, database, keys, files, log: pino({ level: 'silent' }) })
    const routes = api.routes
      .map(({ method, path }) => `${method} ${path}`)
      // Middleware, and the handlers of a service's unknown paths.
      .filter((route) => !/^ALL \S*\*$/.test(route) || route === FUNCTIONS)

    expect(routes.length).toBeGreaterThan(80)
    expect([...new Set(routes)].toSorted()).toEqual(routeGroups.flatMap((group) => group.routes).toSorted())
  })

  it('names in the table of routes only limits from the table of limits', () => {
    const named = [...routeGroups, ...otherRoutes].flatMap(({ limits }) =>
      typeof limits === 'string' ? [] : limits,
    )
    const known = new Set(limitRows.map(({ name }) => name))
    const all = [...named, ...Object.values(visitorFunctions).flat()]

    expect(all.filter((name) => !known.has(name))).toEqual([])
  })

  it('lists every server function with the callers', () => {
    expect(Object.keys(functionCallers).toSorted()).toEqual(Object.keys(functions).toSorted())
  })

  it('names the role that each server function for staff asks for', async () => {
    const [customer, packer] = [await shop.signUp(), await shop.packer()]
    const refusedRole = async (name: string) => {
      if (!(await isForbidden(customer, name))) return null
      return (await isForbidden(packer, name)) ? 'admin' : 'staff'
    }
    const names = Object.keys(functionCallers)
    const found = await Promise.all(names.map(async (name) => [name, await refusedRole(name)]))
    const listed = Object.entries(functionCallers).map(([name, caller]) => [
      name,
      caller === 'staff' || caller === 'admin' ? caller : null,
    ])

    expect(found).toEqual(listed)
  })

  it('lists every database function that a visitor or an account may call', async () => {
    const { rows } = await shop.database.owner.query<{ name: string; visitors: boolean }>(
      `select proname as name, bool_or(has_function_privilege('anon', oid, 'execute')) as visitors
       from pg_proc
       where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
         and has_function_privilege('authenticated', oid, 'execute')
       group by 1`,
    )
    const namesOf = (visitors: boolean) =>
      rows.filter((row) => row.visitors === visitors).map(({ name }) => name)

    expect(namesOf(true).toSorted()).toEqual(Object.keys(visitorFunctions).toSorted())
    expect(namesOf(false).toSorted()).toEqual(accountFunctions.toSorted())
  })

  it('lists every table that a visitor may write to, with a rate limit for rows', async () => {
    const { rows } = await shop.database.owner.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
         and (has_any_column_privilege('anon', oid, 'insert, update') or has_table_privilege('anon', oid, 'delete'))`,
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(visitorInserts.toSorted())

    const counted = visitorInserts.map(async (table) => {
      const body = JSON.stringify(Array.from({ length: 61 }, () => ({})))
      const headers = { apikey: shop.keys.publishable, 'Content-Type': 'application/json' }
      return (await shop.fetch(`/rest/v1/${table}`, { method: 'POST', headers, body })).status
    })
    expect(await Promise.all(counted)).toEqual([429, 429, 429])
  })

  it('lists no page route, because no page accepts a form', () => {
    const taking = globSync('app/**/*.{ts,tsx}', { cwd: project }).filter((path) =>
      /export (async )?(function|const) (action|clientAction)\b/.test(read(path)),
    )

    expect(taking).toEqual([])
  })
})
