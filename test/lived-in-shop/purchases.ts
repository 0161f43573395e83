import { unwrap, nth, postForm, rpc } from './calls.ts'
import type { LivedInShop } from './shop.ts'
import type { NamedPerson } from './people.ts'

export interface PurchasedOrder {
  id: string
  order_number: number
  status: string
  total_amount: number
}

interface Line {
  product: string
  variant: string
  quantity?: number
  with_hooks?: boolean
}

const LINES: Line[] = [
  { product: 'Chisel Nose Popper 150mm/30G', variant: 'Redhead 150mm', quantity: 2 },
  { product: 'Slow Sinking Stick Bait (180mm/150G)', variant: 'Blue Reaper', with_hooks: true },
  { product: 'Chisel Nose Popper 200mm/50G', variant: 'Redhead 200mm' },
  { product: 'Slow Sinking Stick Bait (180mm/150G)', variant: 'Mahi Mahi', quantity: 4 },
]

/** Returns one or two cart lines, chosen by the number. */
export function cartLinesFor(number: number): Line[] {
  return number % 3 === 0 ? [nth(LINES, number), nth(LINES, number + 1)] : [nth(LINES, number)]
}

export async function fillCart(
  shop: LivedInShop,
  { client, userId }: NamedPerson,
  lines: Line[],
): Promise<void> {
  const rows = await Promise.all(
    lines.map(async ({ product, variant, quantity = 1, with_hooks = false }) => {
      const [found] = await shop.sql<{ price: string; price_with_hooks: string; image_url: string }>(
        `select p.price, p.price_with_hooks, v.image_url from public.products p join public.product_variants v on v.product_id = p.id
         where p.name = $1 and v.name = $2`,
        [product, variant],
      )
      if (!found) throw new Error(`there is no ${product}, ${variant}`)
      return {
        user_id: userId,
        product_name: product,
        product_variant: variant,
        price: Number(with_hooks ? found.price_with_hooks : found.price),
        quantity,
        with_hooks,
        image_url: found.image_url,
      }
    }),
  )
  await unwrap('cart', client.from('cart_items').insert(rows))
}

export function deliveryFor({ name, email }: Pick<NamedPerson, 'name' | 'email'>, method = 'door-to-door') {
  return {
    full_name: name,
    email,
    // Use a unique phone, because promo codes recognise customers by it.
    phone: `082 555 ${1000 + Number(/\d+/.exec(email)?.[0] ?? 900)}`,
    address: '12 Beach Road',
    city: 'Kenton-on-Sea',
    state: 'Eastern Cape',
    zip_code: '6191',
    shipping_method: method,
    ...(method === 'locker' && { locker_location: 'Kenton Spar' }),
  }
}

interface OrderOptions {
  /** Selects the lines. */
  number: number
  promo?: string
  method?: string
}

/** Fills the cart and places the order for the quoted total. */
export async function placeOrder(
  shop: LivedInShop,
  person: NamedPerson,
  options: OrderOptions,
): Promise<PurchasedOrder> {
  const { number, method, promo: promo_code = null } = options
  await fillCart(shop, person, cartLinesFor(number))
  const quote = await rpc<{ total: number }>(person.client, 'quote_cart', { promo_code })
  return rpc<PurchasedOrder>(person.client, 'place_order', {
    idempotency_key: crypto.randomUUID(),
    delivery: deliveryFor(person, method),
    expected_total: quote.total,
    promo_code,
  })
}

/** Opens a payment page. Returns a function that presses one of its buttons: `pay`, or a fault such as `short`. */
export async function openPaymentPage(
  shop: LivedInShop,
  person: NamedPerson,
  order: Pick<PurchasedOrder, 'id' | 'total_amount'>,
) {
  const { payfastUrl, paymentData } = await unwrap<{
    payfastUrl: string
    paymentData: Record<string, string>
  }>(
    'payment form',
    person.client.functions.invoke('generate-payfast-payment', {
      body: { orderId: order.id, amount: order.total_amount },
    }),
  )
  const page = await postForm(payfastUrl, paymentData)
  if (!page) throw new Error('the simulator opened no payment page')
  return (choice: string) => postForm(new URL(page, shop.settings.publicUrl).href, { choice })
}

/** Presses one button of the payment page and runs the jobs that follow. */
export async function pay(
  shop: LivedInShop,
  person: NamedPerson,
  { choice = 'pay', ...order }: PurchasedOrder & { choice?: string },
): Promise<PurchasedOrder> {
  const press = await openPaymentPage(shop, person, order)
  await press(choice)
  await shop.runJobs()
  return order
}

export async function paidOrder(
  shop: LivedInShop,
  person: NamedPerson,
  options: OrderOptions,
): Promise<PurchasedOrder> {
  return pay(shop, person, await placeOrder(shop, person, options))
}
