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

const LURE_PAGE = browserPart('storefront/product/route.tsx')
/** Where lures are looked at; who opens one of these opens the next. */
const LURE_PAGES = ['home', 'products', 'product'].map((page) => browserPart(`storefront/${page}/route.tsx`))

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

/** React Router marks the part of a route that browsers get. */
function browserPart(route: string): string {
  return join(app, `${route}?__react-router-build-client-route`)
}

/**
 * The files of what every storefront page needs: one of the framework, one of ours; and one each of what several pages with
 * lures need, of what the checkout needs of that, and of what it shares with the pages around it. Left alone, each shared icon
 * becomes a file of its own, and forty small ones compress worse and cost forty times the headers. Only what is reached without
 * a dynamic import counts: what comes later stays by itself.
 */
export function firstViewChunks() {
  let everyPage: Set<string> | undefined
  let lurePages: Set<string>[] | undefined
  let lurePage: Set<string> | undefined
  let checkout: Set<string> | undefined
  let besideCheckout: Set<string> | undefined
  const isOfEveryPage = (id: string, graph: ModuleGraph) => {
    everyPage ??= reachedFrom(EVERY_PAGE, graph)
    return everyPage.has(id)
  }
  const isOfLurePage = (id: string, graph: ModuleGraph) => {
    lurePage ??= reachedFrom([LURE_PAGE], graph)
    return lurePage.has(id)
  }
  const isOfSeveralLurePages = (id: string, graph: ModuleGraph) => {
    lurePages ??= LURE_PAGES.map((page) => reachedFrom([page], graph))
    return lurePages.filter((page) => page.has(id)).length > 1
  }
  const isOfCheckout = (id: string, graph: ModuleGraph) => {
    checkout ??= reachedFrom(CHECKOUT, graph)
    return checkout.has(id)
  }
  const isOfLuresAndCheckout = (id: string, graph: ModuleGraph) =>
    isOfCheckout(id, graph) && (isOfSeveralLurePages(id, graph) || isOfLurePage(id, graph))
  const isOfCheckoutAndOthers = (id: string, graph: ModuleGraph) => {
    besideCheckout ??= reachedFrom(BESIDE_CHECKOUT, graph)
    return isOfCheckout(id, graph) && besideCheckout.has(id)
  }
  return [
    { name: named('framework', isOfEveryPage), test: /\/node_modules\//, priority: 5 },
    { name: named('every-page', isOfEveryPage), priority: 4 },
    { name: named('lures-and-checkout', isOfLuresAndCheckout), priority: 3 },
    { name: named('lure-pages', isOfSeveralLurePages), priority: 2 },
    { name: named('customer-pages', isOfCheckoutAndOthers), priority: 1 },
    // Staff look at a lure before it is live, and would have its page cut in two.
    { name: named('lure', isOfLurePage), test: /\/storefront\/product\//, priority: 0 },
  ]
}

type Belongs = (id: string, graph: ModuleGraph) => boolean

function named(name: string, belongs: Belongs) {
  return (id: string, graph: ModuleGraph) => (belongs(id, graph) ? name : null)
}

function reachedFrom(roots: string[], graph: ModuleGraph): Set<string> {
  const reached = new Set(roots)
  // A set that grows while it is walked is walked to its end.
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return reached
}
