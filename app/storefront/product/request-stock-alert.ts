import { backendHeaders } from '#app/data/backend.ts'

export type StockAlertResult =
  | { outcome: 'noted' }
  /** The colour is already back in stock. */
  | { outcome: 'available' }
  | { outcome: 'invalid-email' }
  /**
   * The shop takes no requests now, because too many came from this network or its disk is full, or the colour is no longer sold.
   * `message` says so to the visitor.
   */
  | { outcome: 'refused'; message: string }

interface Refusal {
  message: string
  details?: string
}

const REFUSED_FOR_NOW = [429, 507]
const REFUSED = [404, 422]

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
    const { message }: Refusal = await response.json()
    return { outcome: 'refused', message }
  }
  if (REFUSED.includes(response.status)) {
    const { details }: Refusal = await response.json()
    if (details === 'invalid_email') return { outcome: 'invalid-email' }
    if (details === 'variant_not_found')
      return { outcome: 'refused', message: 'We no longer sell this colour.' }
  }
  if (!response.ok) throw new Error(`the stock alert request failed with status ${response.status}`)
  return response.json()
}
