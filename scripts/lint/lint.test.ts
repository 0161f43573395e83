import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const project = resolve(import.meta.dirname, '../..')

const FORBIDDEN_IMPORTS = {
  'domain/planted.ts': "import { pool } from '#server/open-database.ts'",
  'app/storefront/home/server.ts': "import { a } from '#server/api.ts'",
  'domain/backend.ts': "import { a } from '@saltfreak/backend'",
  'app/storefront/home/backend.ts': "import type { A } from '@saltfreak/backend'",
  'server/planted.ts': "import { a } from '../packages/backend/http/edge.ts'",
  'packages/backend/planted.ts': "import { a } from '../../domain/money.ts'",
  'payments/planted.ts': "export { a } from '#app/root.tsx'",
  'payments/whole.ts': "export * from '#app/root.tsx'",
  'domain/type.ts': "export type A = import('#server/api.ts').A",
  'app/admin/gallery/component.tsx': "import { a } from '../settings/x.ts'",
  'app/admin/gallery/planted.ts': "import { a } from '../settings/x.ts'",
  'app/admin/gallery/later.ts': "export const a = () => import('../settings/x.ts')",
}

const MISSING_FEATURES = {
  'app/ui/static.ts': 'export const a = URL.parse(location.href)',
  'app/ui/method.ts': 'export const a = (one: Set<string>, two: Set<string>) => one.union(two)',
  'app/ui/constructor.ts': 'export const a = new CloseWatcher()',
  // Safari has it since 17.4.
  'app/ui/safari.ts': 'export const a = (one: Element) => one.checkVisibility()',
}
const ASSERTED_ROWS = {
  'server/asserted.ts': "export const a = (db) => db.query<{ id: string }>('select id from t')",
  'server/read.ts': "export const a = async (db) => (await db.query('select id from t')).rows",
  'server/destructured.ts': `
    export async function a(db): Promise<string> {
      const { rows } = await db.query('select id from t')
      return rows[0].id
    }`,
  'server/rest.ts': `
    export async function a(db): Promise<object> {
      const { rowCount, ...rest } = await db.query('select id from t')
      return { rowCount, rest }
    }`,
  'server/kept.ts': `
    export async function a(db): Promise<string> {
      const result: { rows: { id: string }[] } = await db.query('select id from t')
      return result.rows[0].id
    }`,
  'payments/later.ts': "export const a = (db) => db.query('select id from t').then(({ rows }) => rows)",
  'packages/backend/result.ts': "import type { QueryResult } from 'pg'",
  'app/data/single.ts': "export const a = (from) => from.select('id').single<{ id: string }>()",
  'app/data/found.ts': "export const a = (from) => from.select('id').maybeSingle<{ id: string }>()",
  'app/data/overridden.ts': "export const a = (from) => from.select('id').overrideTypes<{ id: string }[]>()",
  'app/data/fetched.ts': "export const a = () => fetchPublicRows<{ id: string }>('products')",
}
const LINKS_WITHOUT_PAGE = {
  'app/ui/string.tsx': 'export const a = <Link to="?page=2">Next</Link>',
  'app/ui/template.tsx': 'export const a = (page: number) => <Link to={`?page=${page}`}>Next</Link>',
  'app/ui/object.tsx': "export const a = <Link to={{ search: 'page=2' }}>Next</Link>",
  'app/ui/call.ts': "export const a = (navigate) => navigate({ search: 'page=2' })",
}
const SLOW_SCHEMAS = {
  'server/rows.ts': "export const a = (db, z) => selectRows(db, z.object({ id: z.string() }), ['select id'])",
  'server/row.ts': "export const a = (db, z) => findRow(db, z.object({ id: z.string() }), ['select id'])",
  'server/value.ts': "export const a = (db, z) => selectValue(db, z.string(), ['select id'])",
}
const UNREAD_FAILURES = {
  'app/admin/orders/list.tsx': 'export function A() { const a = useA(); return a.data ?? [] }',
  'app/admin/orders/part.tsx': 'export function A() { const a = useA(); return a.data?.rows ?? [] }',
  'app/admin/orders/mapped.tsx': 'export function A() { const a = useA(); return a.data?.map(f) ?? [] }',
  'app/admin/orders/count.tsx': 'export function A() { const a = useA(); return a.data ?? 0 }',
  'app/admin/orders/some.tsx': 'export function A() { const a = useA(); return a.data?.some(f) ?? false }',
  'app/admin/orders/call.tsx': 'export const A = () => useA().data ?? []',
  'app/admin/orders/default.tsx': 'export function A() { const { data: a = 0 } = useA(); return a }',
}
const FINE = {
  'server/checked.ts': `
    export async function a(db, c, row, selectRows): Promise<number> {
      const { rowCount } = await db.query('delete from t')
      const filter = c.req.query('filter')
      const rows = await selectRows(db, row, ['select id from t where f = $1', filter])
      return rows.length + rowCount
    }`,
  'server/asserted.test.ts': "export const a = (db) => db.query<{ id: string }>('select id from t')",
  'app/admin/gallery/fine.ts': `
    import { a } from '../../storefront/cart/cart.tsx'
    import { b } from '../form/undo.ts'
    import { c } from '#domain/money.ts'
    export const d = [a, b, c]`,
  'app/ui/named.tsx': "export const a = <Link to={{ pathname: '/admin', search: 'page=2' }}>Next</Link>",
  'app/admin/orders/error.tsx': `
    export function A() { const a = useA(); return a.isError ? 'failed' : (a.data ?? []) }
    export function B() { const { data = [], isError } = useA(); return isError ? 'failed' : data }`,
  'app/admin/orders/handed-on.tsx': `
    export function A() { const b = useA(); const rows = b.data ?? []; return <Loaded query={b}>{rows}</Loaded> }`,
  'app/ui/tested.ts': 'export const a = URL.parse?.(location.href) ?? new URL(location.href)',
}

let folder: string
/** What the linter with the project's settings says about the planted files. */
let report: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lint-'))
  const settings = await readFile(join(project, '.oxlintrc.json'), 'utf8')
  const files = {
    ...FORBIDDEN_IMPORTS,
    ...MISSING_FEATURES,
    ...ASSERTED_ROWS,
    ...LINKS_WITHOUT_PAGE,
    ...SLOW_SCHEMAS,
    ...UNREAD_FAILURES,
    ...FINE,
    '.oxlintrc.json': settings.replaceAll('"./scripts/lint/', `"${project}/scripts/lint/`),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  report = spawnSync('oxlint', ['--format', 'unix'], { cwd: folder, encoding: 'utf8' }).stdout
})

afterAll(() => rm(folder, { recursive: true }))

const messagesAbout = (path: string) =>
  report
    .split('\n')
    .filter((line) => line.startsWith(`${path}:`))
    .join('\n')

it.each(Object.keys(FORBIDDEN_IMPORTS))(
  'rejects an import against the documented direction in %s',
  (path) => {
    expect(messagesAbout(path)).toContain('boundaries(imports)')
  },
)

it.each(Object.keys(MISSING_FEATURES))('rejects what a supported browser lacks in %s', (path) => {
  expect(messagesAbout(path)).toContain('browsers(support)')
})

it.each(Object.keys(ASSERTED_ROWS))('rejects rows whose type nothing checks in %s', (path) => {
  expect(messagesAbout(path)).toContain('rows(checked)')
})

it.each(Object.keys(LINKS_WITHOUT_PAGE))('rejects a link that names no page in %s', (path) => {
  expect(messagesAbout(path)).toContain('links(name-page)')
})

it.each(Object.keys(SLOW_SCHEMAS))('rejects a row schema that every call compiles again in %s', (path) => {
  expect(messagesAbout(path)).toContain('rows(compiled-once)')
})

it.each(Object.keys(UNREAD_FAILURES))('rejects a failed query that looks like none in %s', (path) => {
  expect(messagesAbout(path)).toContain('queries(failure-shown)')
})

it('accepts public files, shared folders, checked rows, shown failures, and newer methods that are tested for', () => {
  const messages = Object.keys(FINE).map(messagesAbout).join('')

  expect(report).toMatch(/problems/)
  expect(messages).not.toMatch(/boundaries|browsers|links|rows\(|queries/)
})

it.each([
  ['anchor positioning without a fallback', '.a { position-anchor: --b; }', false],
  [
    'anchor positioning that @supports guards',
    '@supports (position-anchor: --b) { .a { position-anchor: --b; } }',
    true,
  ],
])('judges %s in a style sheet', async (_case, css, passes) => {
  const path = join(folder, 'planted.css')
  await writeFile(path, css)

  const { status } = spawnSync('stylelint', ['--config', join(project, 'stylelint.config.js'), path])

  expect(status === 0).toBe(passes)
})

it('runs in the gate, for style sheets too', async () => {
  const gate = await readFile(join(project, 'scripts/gate/stages.ts'), 'utf8')

  expect(gate).toContain("['oxlint', '--type-aware', '--type-check']")
  expect(gate).toContain("['stylelint', 'app/**/*.css']")
})
