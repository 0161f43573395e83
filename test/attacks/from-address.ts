import type { TestShop } from '#test/shop.ts'

export { countStatuses } from '@saltfreak/backend/testing'

export interface Sent {
  method?: string
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

/** Returns a function that calls a shop behind one proxy from `address`, with the publishable key only. */
export function callsFrom(shop: TestShop, address: string) {
  return (path: string, { method, body, token, headers }: Sent = {}): Promise<Response> => {
    const all: Record<string, string> = {
      apikey: shop.keys.publishable,
      'X-Forwarded-For': address,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    }
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    return shop.fetch(path, { method: method ?? (text === null ? 'GET' : 'POST'), headers: all, body: text })
  }
}
