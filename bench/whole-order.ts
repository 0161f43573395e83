import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { delivery, stickBait } from '#test/shopping.ts'
import { call, type TradingShop } from './crowd.ts'

const PASSWORD = 'Correct-Horse-7'

export interface Account {
  email: string
  userId: string
}

export async function signUp(shop: TradingShop): Promise<Account> {
  const email = `buyer-${crypto.randomUUID()}@example.com`
  const answer = await call(shop, {
    path: '/auth/v1/signup',
    method: 'POST',
    body: { email, password: PASSWORD },
  })
  const { user }: { user: { id: string } } = JSON.parse(answer)
  return { email, userId: user.id }
}

/** Places and pays an order like a browser, from the sign-in on. Returns the number of calls. */
export async function orderAndPay(shop: TradingShop, { email, userId }: Account): Promise<number> {
  let calls = 0
  const counting: typeof fetch = (input, init) => {
    calls += 1
    return fetch(input, init)
  }
  const client = createClient<ShopDatabase>(shop.url, shop.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: counting },
  })
  requireData(await client.auth.signInWithPassword({ email, password: PASSWORD }))
  requireData(await client.from('cart_items').insert({ user_id: userId, ...stickBait }))
  const placeOrderInput = {
    idempotency_key: crypto.randomUUID(),
    delivery: { ...delivery, email },
    expected_total: 600,
  }
  const order: { id: string; total_amount: number } = requireData(
    await client.rpc('place_order', placeOrderInput),
  )
  const payment: { payfastUrl: string; paymentData: Record<string, string> } = requireData(
    await client.functions.invoke('generate-payfast-payment', {
      body: { orderId: order.id, amount: order.total_amount },
    }),
  )
  const post = async (url: string, fields: Record<string, string>) => {
    const answer = await counting(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    const location = answer.headers.get('location')
    if (!location) throw new Error(`${url} answered ${answer.status}`)
    return new URL(location, shop.url).href
  }
  await post(await post(payment.payfastUrl, payment.paymentData), { choice: 'pay' })
  for (let isPaid = false; !isPaid;) {
    // oxlint-disable-next-line no-await-in-loop -- polls until the notice has been checked
    const answer = requireData(
      await client.functions.invoke('update-order-status', { body: { orderId: order.id } }),
    )
    isPaid = answer.paid
  }
  return calls
}

// oxlint-disable-next-line typescript/no-explicit-any -- the client's own type of responses
function requireData({ data, error }: { data: any; error: unknown }): any {
  if (error) throw error
  return data
}
