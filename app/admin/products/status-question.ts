import { formatTotal } from '#domain/money.ts'
import type { AdminProduct } from './product.ts'

type ChosenProduct = Pick<AdminProduct, 'name' | 'status' | 'publish_at' | 'price' | 'price_with_hooks'>

/** The statuses that products get in bulk. */
export type BulkProductStatus = 'live' | 'hidden'

const MAX_NAMES = 10

/** Names the products whose launch a bulk change ends, or that it puts on sale for nothing; null when there are none. */
export function statusQuestion(products: ChosenProduct[], status: BulkProductStatus): string | null {
  const sentences = [
    sentence(
      status === 'live' ? 'These go on sale now instead of at their launch' : 'These lose their launch',
      products.filter(({ publish_at }) => publish_at !== null),
    ),
    sentence(
      `These cost ${formatTotal(0)}`,
      products.filter((product) => status === 'live' && product.status !== 'live' && isFree(product)),
    ),
  ].filter((text) => text !== null)
  return sentences.length > 0 ? sentences.join(' ') : null
}

function isFree({ price, price_with_hooks }: ChosenProduct): boolean {
  return price === 0 || price_with_hooks === 0
}

function sentence(beginning: string, products: ChosenProduct[]): string | null {
  if (products.length === 0) return null
  const names = products.slice(0, MAX_NAMES).map(({ name }) => name)
  const more = products.length > MAX_NAMES ? ` and ${products.length - MAX_NAMES} more` : ''
  return `${beginning}: ${names.join(', ')}${more}.`
}
