import { expect } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { ShopClient, ShopDatabase } from '#database'
import type { FakePayfast } from '#test/fake-payfast.ts'
import type { RunningShop } from '#test/running-shop.ts'
import { delivery, popper, stickBait } from '#test/shopping.ts'

/** Results that the shop has acknowledged, which must survive a crash. */
export interface Acknowledged {
  orders: { id: string; lines: number; total: number }[]
  /** Orders whose payment notice the shop answered with status 200. */
  paid: string[]
}

/** Returns settings for a PayFast in another process, which outlives the shop. */
export function settingsFor({ account }: FakePayfast): Record<string, string> {
  const { merchantId, merchantKey, passphrase, processUrl, validateUrl } = account
  return {
    PAYFAST_MODE: 'sandbox',
    PAYFAST_MERCHANT_ID: merchantId,
    PAYFAST_MERCHANT_KEY: merchantKey,
    PAYFAST_PASSPHRASE: passphrase ?? '',
    PAYFAST_PROCESS_URL: processUrl,
    PAYFAST_VALIDATE_URL: validateUrl,
  }
}

type ReachableShop = Pick<RunningShop, 'url' | 'keys'>

export async function staffOf(shop: ReachableShop): Promise<ShopClient> {
  return createClient<ShopDatabase>(shop.url, (await shop.keys()).secret, { auth: { persistSession: false } })
}

export async function fillShelves(shop: ReachableShop): Promise<void> {
  const staff = await staffOf(shop)
  const { error } = await staff
    .from('product_variants')
    .update({ stock_quantity: 1_000_000 })
    .in('name', [stickBait.product_variant, popper.product_variant])
  if (error) throw error
}

export interface BuyerSession {
  client: ShopClient
  userId: string
  send: typeof fetch
}

/** `send` makes the requests of the buyer and PayFast. */
export async function signUp(shop: ReachableShop, send = fetch): Promise<BuyerSession> {
  const { publishable } = await shop.keys()
  const client = createClient<ShopDatabase>(shop.url, publishable, {
    auth: { persistSession: false },
    global: { fetch: send },
  })
  const email = `buyer-${crypto.randomUUID()}@example.com`
  const { data, error } = await client.auth.signUp({ email, password: 'salt-water-42' })
  if (error || !data.user) throw error ?? new Error('the sign-up returned no user')
  return { client, userId: data.user.id, send }
}

export interface CheckoutOptions {
  /** A number of its own for each checkout: the same cart again would be the same order again, while it is unpaid. */
  poppers: number
  acknowledged: Acknowledged
  shop: ReachableShop
  payfast: FakePayfast
}

/** Checks out as the browser does, then sends PayFast's notice. Throws at the first request without a response. */
export async function checkOut(
  { client, userId, send }: BuyerSession,
  options: CheckoutOptions,
): Promise<void> {
  const { poppers, acknowledged, shop, payfast } = options
  const lines = [stickBait, { ...popper, quantity: poppers }].map((line) => ({ user_id: userId, ...line }))
  const subtotal = stickBait.price + popper.price * poppers
  const expectedTotal = subtotal >= 1500 ? subtotal : subtotal + 100
  await answered(client.from('cart_items').delete().eq('user_id', userId).select())
  await answered(client.from('cart_items').insert(lines).select())
  const order: { id: string; total_amount: number } = await answered(
    client
      .rpc('place_order', { idempotency_key: crypto.randomUUID(), delivery, expected_total: expectedTotal })
      .single(),
  )
  acknowledged.orders.push({ id: order.id, lines: lines.length, total: order.total_amount })

  const { data: payment, error } = await client.functions.invoke('generate-payfast-payment', {
    body: { orderId: order.id, amount: order.total_amount },
  })
  if (error) throw error
  const notice = await send(`${shop.url}/payments/payfast/notice`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: payfast.notice({
      m_payment_id: payment.paymentData.m_payment_id,
      amount_gross: payment.paymentData.amount,
    }),
  })
  if (notice.status !== 200) throw new Error(`the notice was answered ${notice.status}`)
  acknowledged.paid.push(order.id)
}

export async function answered<T>(call: PromiseLike<{ data: T; error: unknown }>): Promise<NonNullable<T>> {
  const { data, error } = await call
  if (error || data == null) throw error ?? new Error('an answer without content')
  return data
}

export async function isOpenAgain(shop: RunningShop): Promise<void> {
  await expect.poll(() => readiness(shop), { timeout: 30_000 }).toBe(200)
}

async function readiness(shop: RunningShop): Promise<number | null> {
  return fetch(`${shop.url}/readyz`).then(
    ({ status }) => status,
    () => null,
  )
}
