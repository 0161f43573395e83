import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const app = join(import.meta.dirname, '../app')

/** React Router's suffix for the browser part of a route module. */
const BROWSER_PART = '?__react-router-build-client-route'

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Entry points of every storefront page. */
const EVERY_PAGE = [
  join(app, 'entry.client.tsx'),
  browserPart('root.tsx'),
  browserPart('storefront/layout.tsx'),
]

const HOME = browserPart('storefront/home/route.tsx')
const CATALOGUE = browserPart('storefront/products/route.tsx')
const PRODUCT = browserPart('storefront/product/route.tsx')

/** The checkout with the modules that it always loads, because its visitors have a cart. */
const CHECKOUT = [
  browserPart('storefront/checkout/route.tsx'),
  join(app, 'storefront/cart/cart-contents.tsx'),
]

/** Pages before and after the checkout. */
const CHECKOUT_NEIGHBOURS = [
  'storefront/auth/route.tsx',
  'storefront/payment-success/route.tsx',
  'account/order/route.tsx',
  'account/details/route.tsx',
].map(browserPart)

/** Modules that home shares with distant pages, too small for separate files. */
const SMALL_MODULES = ['ui/visitor-preferences.ts', 'data/after-sign-in.ts'].map((path) => join(app, path))

function browserPart(route: string): string {
  return join(app, route) + BROWSER_PART
}

const ICON = /\/lucide-react\/.*\/icons\/([\w-]+)\.m?js$/

/**
 * Returns Rolldown's chunk groups: framework, modules of every storefront page, and modules that the product page, the catalogue,
 * home and the checkout share. Without groups, each shared icon becomes a separate file, and forty small files compress worse and
 * cost forty times the headers. Modules behind a dynamic import are not grouped.
 */
export function firstViewChunks() {
  const isOnEveryPage = reachableFrom(...EVERY_PAGE)
  const isOnHome = reachableFrom(HOME)
  const isOnCatalogue = reachableFrom(CATALOGUE)
  const isOnProduct = reachableFrom(PRODUCT)
  const isOnCheckout = reachableFrom(...CHECKOUT)
  const isOnCheckoutNeighbours = reachableFrom(...CHECKOUT_NEIGHBOURS)
  const isOnHomeAndCatalogue: ModuleTest = (...module) => isOnHome(...module) && isOnCatalogue(...module)
  const isOnProductAndList: ModuleTest = (...module) =>
    isOnProduct(...module) && (isOnHome(...module) || isOnCatalogue(...module))
  /** Includes modules that are too small for a separate file. */
  const isOnNearlyEveryPage: ModuleTest = (...module) =>
    isOnEveryPage(...module) ||
    SMALL_MODULES.includes(module[0]) ||
    (isOnCheckout(...module) && (isOnProduct(...module) || isOnHomeAndCatalogue(...module)))
  const isOnCheckoutAndNeighbours: ModuleTest = (...module) =>
    isOnCheckout(...module) && isOnCheckoutNeighbours(...module)
  return [
    { name: chunkIf('framework', isOnEveryPage), test: /\/node_modules\//, priority: 5 },
    { name: chunkIf('every-page', isOnNearlyEveryPage), priority: 4 },
    { name: chunkIf('product-and-catalogue', isOnProductAndList), priority: 3 },
    { name: chunkIf('catalogue', isOnHomeAndCatalogue), priority: 2 },
    { name: chunkIf('customer-pages', isOnCheckoutAndNeighbours), priority: 1 },
    // Several pages load these modules together.
    { name: 'delivery', test: /\/domain\/(delivery-promise|public-holidays)\.ts/, priority: 1 },
    {
      name: 'cart',
      test: /\/storefront\/(cart\/cart-contents|catalogue\/free-shipping|purchase\/line-notes)\.tsx?$/,
      priority: 1,
    },
    // The admin area's preview also imports the product page; without this group, that would split its chunk.
    { name: chunkIf('product', isOnProduct), test: /\/storefront\/product\//, priority: 0 },
    // Last, because a group includes the dependencies of its modules, and the icons' base module belongs to the framework.
    { name: adminIconChunk, test: ICON, priority: 0 },
  ]
}

type ModuleTest = (id: string, graph: ModuleGraph) => boolean

function chunkIf(name: string, test: ModuleTest) {
  return (id: string, graph: ModuleGraph) => (test(id, graph) ? name : null)
}

/** Matches icons that several modules of the admin area use, and no other. */
function adminIconChunk(id: string): string | null {
  const importers = importersOfIcon(id)
  const isAdminOnly = importers.length > 1 && importers.every((file) => file.startsWith(join(app, 'admin/')))
  return isAdminOnly ? 'admin-icons' : null
}

/** Tests whether a module is reachable from a root. Lazy, because the module graph is complete only at the first call. */
function reachableFrom(...roots: string[]): ModuleTest {
  let reached: Set<string> | undefined
  return (id, graph) => {
    const modules = (reached ??= reachableModules(roots, graph))
    if (!ICON.test(id)) return modules.has(id)
    return importersOfIcon(id).some((file) => modules.has(file) || modules.has(file + BROWSER_PART))
  }
}

let importersOfIcons: Map<string, string[]> | undefined

/** Returns the files that import an icon. The module graph does not contain this: they import the package's index. */
function importersOfIcon(id: string): readonly string[] {
  importersOfIcons ??= readIconImports()
  return importersOfIcons.get(ICON.exec(id)?.[1] ?? '') ?? []
}

function readIconImports(): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const name of readdirSync(app, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.tsx')) continue
    const file = join(app, name)
    const [, names = ''] = /import \{([^}]*)\} from 'lucide-react'/.exec(readFileSync(file, 'utf8')) ?? []
    for (const icon of names.matchAll(/\b[A-Z]\w*/g)) {
      const found = importers.get(kebab(icon[0])) ?? []
      importers.set(kebab(icon[0]), [...found, file])
    }
  }
  return importers
}

/** `ShoppingBag` → `shopping-bag`, `Trash2` → `trash-2`. */
function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, '-').toLowerCase()
}

function reachableModules(roots: string[], graph: ModuleGraph): Set<string> {
  const reached = new Set(roots)
  // Iterating over a Set includes the members that are added meanwhile.
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return reached
}
