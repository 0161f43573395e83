import type { TestShop } from '#test/shop.ts'

export interface Sent {
  method?: string
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

/** Calls a shop that trusts one proxy as an attacker at `address`, with nothing but the key that every browser has. */
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

/** How often each status came. */
export function countStatuses(answers: Response[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
