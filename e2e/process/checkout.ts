import { expect } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { ShopClient, ShopDatabase } from '#database'
import type { FakePayfast } from '#test/fake-payfast.ts'
import type { ReachableShop, RunningShop } from '#test/running-shop.ts'
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
export async function checkOut(buyer: BuyerSession, options: CheckoutOptions): Promise<void> {
  const { poppers, acknowledged, shop, payfast } = options
  const order = await placeOrder(buyer, poppers)
  acknowledged.orders.push({ id: order.id, lines: 2, total: order.total_amount })

  const status = await postNotice(shop, await noticeFor(buyer, order, payfast), buyer.send)
  if (status !== 200) throw new Error(`the notice was answered ${status}`)
  acknowledged.paid.push(order.id)
}

export interface PlacedOrder {
  id: string
  total_amount: number
}

/** Fills the cart and places the order. Throws the error of the first call that is refused. */
export async function placeOrder({ client, userId }: BuyerSession, poppers: number): Promise<PlacedOrder> {
  const lines = [stickBait, { ...popper, quantity: poppers }].map((line) => ({ user_id: userId, ...line }))
  const subtotal = stickBait.price + popper.price * poppers
  const expectedTotal = subtotal >= 1500 ? subtotal : subtotal + 100
  await answered(client.from('cart_items').delete().eq('user_id', userId).select())
  await answered(client.from('cart_items').insert(lines).select())
  return answered(
    client
      .rpc('place_order', { idempotency_key: crypto.randomUUID(), delivery, expected_total: expectedTotal })
      .single(),
  )
}

/** Opens the payment page and returns the body of PayFast's notice. */
export async function noticeFor(
  { client }: BuyerSession,
  { id, total_amount: amount }: PlacedOrder,
  payfast: FakePayfast,
): Promise<string> {
  const body = { orderId: id, amount }
  const { data: payment, error } = await client.functions.invoke('generate-payfast-payment', { body })
  if (error) throw error
  const { m_payment_id, amount: amount_gross } = payment.paymentData
  return payfast.notice({ m_payment_id, amount_gross })
}

/** Returns the status of the answer. */
export async function postNotice(shop: ReachableShop, body: string, send = fetch): Promise<number> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const { status } = await send(`${shop.url}/payments/payfast/notice`, { method: 'POST', headers, body })
  return status
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
