import { join } from 'node:path'

const app = join(import.meta.dirname, '../app')

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
  join(app, 'storefront/cart/ask-standings.ts'),
]

/** Where people are led to the checkout from, and on to. */
const BESIDE_CHECKOUT = [
  'storefront/auth/route.tsx',
  'storefront/payment-success/route.tsx',
  'account/order/route.tsx',
  'account/details/route.tsx',
].map(browserPart)

/** What home shares with pages far from it, too little for files of its own. */
const SMALL = ['ui/visitor-wishes.ts', 'session/after-sign-in.ts'].map((path) => join(app, path))

/** React Router marks the part of a route that browsers get. */
function browserPart(route: string): string {
  return join(app, `${route}?__react-router-build-client-route`)
}

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
      test: /\/storefront\/cart\/(cart-contents|ask-standings|free-shipping)\.tsx?$/,
      priority: 1,
    },
    // Staff look at a lure before it is live, and would have its page cut in two.
    { name: named('lure', isOfLure), test: /\/storefront\/product\//, priority: 0 },
  ]
}

type Belongs = (id: string, graph: ModuleGraph) => boolean

function named(name: string, belongs: Belongs) {
  return (id: string, graph: ModuleGraph) => (belongs(id, graph) ? name : null)
}

/** Whether a module is reached from one of the roots. The graph is whole only when the first module is asked about. */
function reachedFrom(...roots: string[]): Belongs {
  let reached: Set<string> | undefined
  return (id, graph) => {
    reached ??= walk(roots, graph)
    return reached.has(id)
  }
}

function walk(roots: string[], graph: ModuleGraph): Set<string> {
  const reached = new Set(roots)
  // A set that grows while it is walked is walked to its end.
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return reached
}
