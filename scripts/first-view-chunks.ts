import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const app = join(import.meta.dirname, '../app')

/** React Router marks the part of a route that browsers get. */
const BROWSER_PART = '?__react-router-build-client-route'

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Whatever a storefront page is about, these come with it. */
const EVERY_PAGE = [
  join(app, 'entry.client.tsx'),
  browserPart('root.tsx'),
  browserPart('storefront/layout.tsx'),
]

const HOME = browserPart('storefront/home/route.tsx')
const RANGE = browserPart('storefront/products/route.tsx')
const LURE = browserPart('storefront/product/route.tsx')

/** The checkout, with what it always fetches: whoever comes there has a cart. */
const CHECKOUT = [
  browserPart('storefront/checkout/route.tsx'),
  join(app, 'storefront/cart/cart-contents.tsx'),
  join(app, 'storefront/cart/fetch-availability.ts'),
]

/** Where people are led to the checkout from, and on to. */
const BESIDE_CHECKOUT = [
  'storefront/auth/route.tsx',
  'storefront/payment-success/route.tsx',
  'account/order/route.tsx',
  'account/details/route.tsx',
].map(browserPart)

/** What home shares with pages far from it, too little for files of its own. */
const SMALL = ['ui/visitor-preferences.ts', 'session/after-sign-in.ts'].map((path) => join(app, path))

function browserPart(route: string): string {
  return join(app, route) + BROWSER_PART
}

const ICON = /\/lucide-react\/.*\/icons\/([\w-]+)\.m?js$/

/**
 * The files of what every storefront page needs: one of the framework, one of ours; and one each of what a lure's page shares with
 * the range, of what home shares with it, of what the checkout shares with the pages around it, and of a lure's page. Left alone,
 * each shared icon becomes a file of its own, and forty small ones compress worse and cost forty times the headers. Only what is
 * reached without a dynamic import counts: what comes later stays by itself.
 */
export function firstViewChunks() {
  const isOfEveryPage = reachedFrom(...EVERY_PAGE)
  const isOfHome = reachedFrom(HOME)
  const isOfRange = reachedFrom(RANGE)
  const isOfLure = reachedFrom(LURE)
  const isOfCheckout = reachedFrom(...CHECKOUT)
  const isBesideCheckout = reachedFrom(...BESIDE_CHECKOUT)
  const isOfHomeAndRange: Belongs = (...module) => isOfHome(...module) && isOfRange(...module)
  const isOfLureAndRange: Belongs = (...module) =>
    isOfLure(...module) && (isOfHome(...module) || isOfRange(...module))
  /** Too little for a file of its own. */
  const isOfNearlyEveryPage: Belongs = (...module) =>
    isOfEveryPage(...module) ||
    SMALL.includes(module[0]) ||
    (isOfCheckout(...module) && (isOfLure(...module) || isOfHomeAndRange(...module)))
  const isOfCheckoutAndOthers: Belongs = (...module) => isOfCheckout(...module) && isBesideCheckout(...module)
  return [
    { name: named('framework', isOfEveryPage), test: /\/node_modules\//, priority: 5 },
    { name: named('every-page', isOfNearlyEveryPage), priority: 4 },
    { name: named('lure-and-range', isOfLureAndRange), priority: 3 },
    { name: named('range', isOfHomeAndRange), priority: 2 },
    { name: named('customer-pages', isOfCheckoutAndOthers), priority: 1 },
    // What says when a parcel comes, and what opens a cart: each asked for together, here and there.
    { name: 'delivery', test: /\/domain\/(delivery-promise|public-holidays)\.ts/, priority: 1 },
    {
      name: 'cart',
      test: /\/storefront\/cart\/(cart-contents|fetch-availability|free-shipping)\.tsx?$/,
      priority: 1,
    },
    // Staff look at a lure before it is live, and would have its page cut in two.
    { name: named('lure', isOfLure), test: /\/storefront\/product\//, priority: 0 },
    // Last: a group takes along what its modules need, and the base of all icons belongs to the framework.
    { name: namedOfStaff, test: ICON, priority: 0 },
  ]
}

type Belongs = (id: string, graph: ModuleGraph) => boolean

function named(name: string, belongs: Belongs) {
  return (id: string, graph: ModuleGraph) => (belongs(id, graph) ? name : null)
}

/** Icons that only the admin area shows, in several places. */
function namedOfStaff(id: string): string | null {
  const importers = importersOfIcon(id)
  const isOfStaff = importers.length > 1 && importers.every((file) => file.startsWith(join(app, 'admin/')))
  return isOfStaff ? 'admin-icons' : null
}

/** Whether a module is reached from one of the roots. The graph is whole only when the first module is asked about. */
function reachedFrom(...roots: string[]): Belongs {
  let reached: Set<string> | undefined
  return (id, graph) => {
    const modules = (reached ??= walk(roots, graph))
    if (!ICON.test(id)) return modules.has(id)
    return importersOfIcon(id).some((file) => modules.has(file) || modules.has(file + BROWSER_PART))
  }
}

let importersOfIcons: Map<string, string[]> | undefined

/** The files of the app that import an icon. The graph cannot tell: they import the package's index, which imports every icon. */
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

/** `ShoppingBag` is in `shopping-bag`, `Trash2` in `trash-2`. */
function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, '-').toLowerCase()
}

function walk(roots: string[], graph: ModuleGraph): Set<string> {
  const reached = new Set(roots)
  // A set that grows while it is walked is walked to its end.
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return reached
}
