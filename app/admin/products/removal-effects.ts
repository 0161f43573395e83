import type { Returns } from '#database'

/** Tells staff what is lost with a product. */
export function removalEffects(
  name: string,
  { stock, carts, waiting }: Returns<'preview_product_removal'>,
): string {
  return `${name} has ${stock} in stock, is in ${cartsText(carts)} and has ${alertsText(waiting)}. Deleting it cannot be undone.`
}

function cartsText(count: number): string {
  if (count === 0) return 'no customer’s cart'
  return count === 1 ? 'the cart of 1 customer' : `the carts of ${count} customers`
}

function alertsText(count: number): string {
  if (count === 0) return 'no stock alerts'
  return count === 1 ? '1 stock alert' : `${count} stock alerts`
}
