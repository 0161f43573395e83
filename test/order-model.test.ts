import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const MODEL = ['domain/order.ts', 'domain/order-row.ts']

/** These read the amounts of an event's or a change's JSON, which are not orders. */
const JSON_OF_CHANGES = ['app/admin/orders/timeline/event-text.ts', 'app/admin/live/notification.ts']

const files = globSync('{app,domain,emails,payments,server,supabase/functions}/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.tsx?$/.test(file) && !MODEL.includes(file),
)
const matching = (pattern: RegExp, except: string[] = []) =>
  files.filter((file) => !except.includes(file) && pattern.test(readFileSync(file, 'utf8')))

it('declares the shape of an order or its items only in domain/order.ts', () => {
  const declaring = matching(/Tables<'(orders|order_items)'>|\b(total|subtotal)_amount\??: (?!\{)/)

  expect(files.length).toBeGreaterThan(600)
  expect(declaring).toEqual([])
})

it('reads the amounts of an order’s row only in domain/order.ts', () => {
  const amount = '(total_amount|subtotal_amount|shipping_cost|discount_amount)'
  const reading = matching(
    new RegExp(`\\.${amount}\\b|\\{[^{}:'"]*\\b${amount}\\b[^{}'"]*\\} *(=|\\))`),
    JSON_OF_CHANGES,
  )

  expect(reading).toEqual([])
})
