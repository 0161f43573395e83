import type { Returns } from '#database'

/** Tells staff what is lost with a product. */
export function removalEffects(
  name: string,
  { stock, carts, waiting }: Returns<'preview_product_removal'>,
): string {
  return [
    `${name} has ${stock} in stock.`,
    `${customers(carts)} it in the cart, and ${people(waiting)} for a stock alert.`,
    'Deleting it cannot be undone.',
  ].join(' ')
}

function customers(count: number): string {
  if (count === 0) return 'No customer has'
  return count === 1 ? '1 customer has' : `${count} customers have`
}

function people(count: number): string {
  if (count === 0) return 'nobody waits'
  return count === 1 ? '1 person waits' : `${count} people wait`
}
