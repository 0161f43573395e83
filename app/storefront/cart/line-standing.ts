import { askPublicly } from '#app/session/ask-publicly.ts'
import { loadBackend } from '#app/session/backend.ts'
import { askAvailability, type Availability } from '#app/storefront/stock/availability.ts'
import { lineKey, type CartLine } from '#domain/cart.ts'
import { formatPrice, centsFromRand } from '#domain/money.ts'

/** How the catalogue stands to a line now. */
export interface LineStanding {
  /** `null` when it is no longer sold like this. */
  priceCents: number | null
  /** How many are on the shelf for this buyer. */
  available: number
  /** What is not on the shelf is made. */
  isMadeToOrder: boolean
}

export type Standings = ReadonlyMap<string, LineStanding>

/** What keeps a line from being bought as it stands. */
export type LineProblem =
  | { kind: 'not-sold' }
  | { kind: 'sold-out' }
  | { kind: 'too-many'; available: number }

/** Whether some of it has to be made before it can be sent. */
export function isMadeFirst({ quantity }: CartLine, standing: LineStanding | undefined): boolean {
  return standing !== undefined && standing.isMadeToOrder && standing.available < quantity
}

export function problemOf(line: CartLine, standing: LineStanding | undefined): LineProblem | null {
  if (!standing) return null
  if (standing.priceCents === null) return { kind: 'not-sold' }
  if (standing.isMadeToOrder) return null
  if (standing.available < 1) return { kind: 'sold-out' }
  if (standing.available < line.quantity) return { kind: 'too-many', available: standing.available }
  return null
}

export function problemText(problem: LineProblem, quantity: number): string {
  switch (problem.kind) {
    case 'not-sold':
      return 'No longer sold. Please remove it.'
    case 'sold-out':
      return 'Sold out in the meantime. Please remove it.'
    case 'too-many':
      return `Only ${problem.available} left; you have ${quantity}.`
  }
}

export function priceChangeText(beforeCents: number, nowCents: number): string {
  return `The price changed from ${formatPrice(beforeCents)} to ${formatPrice(nowCents)}.`
}

interface QuotedLine {
  product_name: string
  product_variant: string
  with_hooks: boolean
  price: number | null
  available: number
  made_to_order: boolean
}

/** For a customer: what their own unpaid order holds counts as theirs. */
export async function askCustomerStandings(): Promise<Standings> {
  const client = await loadBackend()
  const { data, error } = await client.rpc('quote_cart')
  if (error) throw error
  const quote: { lines: QuotedLine[] } = data
  return new Map(
    quote.lines.map((line) => [
      lineKey({
        productName: line.product_name,
        productVariant: line.product_variant,
        withHooks: line.with_hooks,
      }),
      {
        priceCents: line.price === null ? null : centsFromRand(line.price),
        available: line.available,
        isMadeToOrder: line.made_to_order,
      },
    ]),
  )
}

interface OfferedProduct {
  name: string
  price: number
  price_with_hooks: number | null
  made_to_order: boolean
  product_variants: { id: string; name: string }[]
}

/** For a visitor: from the public catalogue, without fetching the backend's client. */
export async function askVisitorStandings(lines: readonly CartLine[]): Promise<Standings> {
  const [products, available] = await Promise.all([
    askPublicly<OfferedProduct>(
      'products?status=eq.live&select=name,price,price_with_hooks,made_to_order,product_variants(id,name)',
    ),
    askAvailability(),
  ])
  return new Map(lines.map((line) => [lineKey(line), standingIn(products, { line, available })]))
}

function standingIn(
  products: OfferedProduct[],
  { line, available }: { line: CartLine; available: Availability },
): LineStanding {
  const product = products.find(({ name }) => name === line.productName)
  const variant = product?.product_variants.find(({ name }) => name === line.productVariant)
  const price = line.withHooks ? product?.price_with_hooks : product?.price
  if (!product || !variant || price == null) {
    return { priceCents: null, available: 0, isMadeToOrder: false }
  }
  return {
    priceCents: centsFromRand(price),
    available: available.get(variant.id) ?? 0,
    isMadeToOrder: product.made_to_order,
  }
}
