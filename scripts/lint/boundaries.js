/**
 * oxlint plugin: imports follow the direction in ARCHITECTURE.md, and a feature of `app/` is reached only through its route or one file
 * listed here. Tests may import anything.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isTest } from './is-test.js'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
const aliases = Object.entries(manifest.imports)

/** What each part may import besides itself. Parts that are not listed, such as scripts, may import anything. */
const ALLOWED = {
  domain: ['shop.config.ts', 'supabase/database.ts'],
  'shop.config.ts': [],
  supabase: ['domain'],
  emails: ['domain', 'shop.config.ts', 'supabase/database.ts', '@saltfreak/backend'],
  payments: ['domain', 'shop.config.ts', 'supabase/database.ts', '@saltfreak/backend'],
  'supabase/functions': [
    'domain',
    'shop.config.ts',
    'supabase/database.ts',
    'emails',
    'payments',
    '@saltfreak/backend',
  ],
  app: ['domain', 'shop.config.ts', 'supabase/database.ts', 'assets', 'server/context.ts'],
  server: [
    'domain',
    'shop.config.ts',
    'supabase',
    'supabase/functions',
    'emails',
    'payments',
    '@saltfreak/backend',
  ],
  'packages/backend': [],
  // As an application outside the package would.
  'packages/backend/example': ['@saltfreak/backend'],
}
const PARTS = Object.keys(ALLOWED).toSorted((a, b) => b.length - a.length)

/** Folders of `app/` that every feature, or every feature of the area, may import from. */
const SHARED = [
  'app/ui',
  'app/data',
  'app/sign-in',
  'app/early-taps',
  'app/offline',
  ...['frame', 'list', 'form', 'mail', 'export', 'shortcuts', 'live', 'notes'].map(
    (name) => `app/admin/${name}`,
  ),
  ...['frame', 'catalogue', 'reading', 'purchase', 'launch', 'order', 'structured-data'].map(
    (name) => `app/storefront/${name}`,
  ),
]

/** The file of a feature that other features may import, besides its route. */
const PUBLIC_FILES = {
  'app/admin/command-menu': 'command-menu.tsx',
  'app/admin/history': 'change-words.ts',
  'app/admin/orders': 'orders.ts',
  'app/admin/needs-attention': 'issue-text.ts',
  'app/admin/settings': 'settings.ts',
  'app/admin/system': 'finding-list.tsx',
  'app/storefront/cart': 'cart.tsx',
  'app/storefront/checkout': 'draft.ts',
  'app/storefront/greetings': 'greetings.tsx',
  'app/storefront/gallery': 'approved-catches.server.ts',
  'app/storefront/newsletter': 'sign-up-for-newsletter.ts',
  'app/storefront/product': 'product-spread.tsx',
  'app/storefront/product-card': 'product-grid.tsx',
  'app/storefront/search': 'search-dialog.tsx',
  'app/storefront/size-guide': 'sizes.tsx',
}

const isIn = (path, folder) => path === folder || path.startsWith(`${folder}/`)
const partOf = (path) => PARTS.find((part) => isIn(path, part)) ?? path

/** `app/storefront/cart` for a file in it; null for files at the root of an area, which its features share. */
function featureOf(path) {
  const [app, area, feature, ...rest] = path.split('/')
  if (app !== 'app' || rest.length === 0 || SHARED.some((folder) => isIn(path, folder))) return null
  return `${app}/${area}/${feature}`
}

/** The imported file relative to the project, or null for a package. */
function targetOf(from, specifier) {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  if (specifier.startsWith('@saltfreak/')) return specifier
  for (const [alias, path] of aliases) {
    if (alias === specifier) return join(path)
    const prefix = alias.endsWith('*') && alias.slice(0, -1)
    if (prefix && specifier.startsWith(prefix)) return join(path.slice(0, -1), specifier.slice(prefix.length))
  }
  return null
}

function problemWith(from, to) {
  const [source, target] = [partOf(from), partOf(to)]
  const allowed = ALLOWED[source]
  if (allowed && source !== target && !allowed.some((part) => isIn(to, part)))
    return `${source} must not import ${to}`
  const [own, other] = [featureOf(from), featureOf(to)]
  const isComposition = /^app\/[^/]+\.tsx?$|(^|\/)layout\.tsx$/.test(from)
  if (other && other !== own && !isComposition && to !== `${other}/${PUBLIC_FILES[other]}`)
    return `${to} is internal to ${other}: import ${PUBLIC_FILES[other] ?? 'nothing of it'}, or move what is shared`
  return null
}

const imports = {
  create(context) {
    const from = relative(context.cwd, context.filename)
    if (isTest(from)) return {}
    const check = ({ source }) => {
      const specifier = source?.type === 'Literal' && source.value
      const to = typeof specifier === 'string' && targetOf(from, specifier)
      if (!to || to.includes('+types/')) return
      const message = problemWith(from, to)
      if (message) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    }
  },
}

export default { meta: { name: 'boundaries' }, rules: { imports } }
