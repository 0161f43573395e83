import { backendHeaders } from '#app/data/backend.ts'

export type StockAlertResult =
  | { outcome: 'noted' }
  /** The colour is already back in stock. */
  | { outcome: 'available' }
  /** The shop takes no requests now: too many came from this network, or its disk is full. `message` says so to the visitor. */
  | { outcome: 'refused'; message: string }

const REFUSED_FOR_NOW = [429, 507]

/** Requests one e-mail for when the colour is back in stock. Throws when the outcome is unknown. */
export async function requestStockAlert({
  variantId,
  email,
}: {
  variantId: string
  email: string
}): Promise<StockAlertResult> {
  const response = await fetch('/rest/v1/rpc/request_stock_alert', {
    method: 'POST',
    headers: { ...backendHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ variant: variantId, email }),
  })
  if (REFUSED_FOR_NOW.includes(response.status)) {
    const { message }: { message: string } = await response.json()
    return { outcome: 'refused', message }
  }
  if (!response.ok) throw new Error(`the stock alert request failed with status ${response.status}`)
  return response.json()
}
