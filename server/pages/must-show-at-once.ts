const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The calls of a launch. A cart is on no page, and the stock that an order reserves may show a moment later. */
const SHOPPING = new Set([
  '/rest/v1/cart_items',
  '/rest/v1/rpc/merge_cart',
  '/rest/v1/rpc/quote_cart',
  '/rest/v1/rpc/place_order',
])

/** Whether the next page must wait until the changes of a request are known. A refused request (4xx) was rolled back. */
export function mustShowAtOnce({ method, path }: { method: string; path: string }, status: number): boolean {
  return !READ_METHODS.has(method) && !(status >= 400 && status < 500) && !SHOPPING.has(path)
}
