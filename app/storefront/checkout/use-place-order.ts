import { useRef, useState } from 'react'
import { useNavigate, type NavigateFunction } from 'react-router'
import { loadBackend } from '#app/session/backend.ts'
import { useCart } from '#app/storefront/cart/cart-context.ts'
import { goToPayment, preparePayment } from '#app/storefront/order/payment.ts'
import { useReturnFromPayment } from '#app/storefront/order/use-return-from-payment.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { lineKey } from '#domain/cart.ts'
import type { Checkout } from '#domain/validation/checkout.ts'
import type { FieldErrors } from '#domain/validation/schema.ts'
import { keyFor, type Wish } from './attempt.ts'
import { placeOrder, rememberAddress, type PlacedOrder } from './place-order.ts'

const OFFLINE =
  'No signal: nothing was ordered. What you typed is kept, so try again when you are back online.'
const UNKNOWN = "We didn't get a clear answer. Nothing was charged, and trying again can't order twice."

const notPlaced: Toast = {
  title: 'Error',
  description: 'Failed to place order. Please try again.',
  tone: 'destructive',
}

/** Why the last try did not go through. */
interface Notice {
  text: string
  /** Gone once no line has a problem any more. */
  isAboutLines?: boolean
}

interface Ordering {
  userId: string
  onInvalid: (errors: FieldErrors<Checkout>) => void
  onPromoRefused: (reason: string) => void
  /** Brings what the total is made of, besides the lines, to what it is now. */
  onPriceChanged: () => Promise<void>
}

/** Places the order and leads on to the payment. One at a time; whatever fails, the form is as it was and can be sent again. */
export function usePlaceOrder({ userId, onInvalid, onPromoRefused, onPriceChanged }: Ordering) {
  const cart = useCart()
  const toast = useToast()
  const navigate = useNavigate()
  const isPlacing = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [notice, setNotice] = useState<Notice | null>(null)

  const letGo = () => {
    isPlacing.current = false
    setIsBusy(false)
  }
  useReturnFromPayment(letGo)

  function tellFailed(why: string) {
    toast(notPlaced)
    setNotice({ text: why })
  }
  const tellNotSent = () => tellFailed(OFFLINE)

  async function place(delivery: Checkout, price: { totalCents: number; promoCode: string | null }) {
    if (isPlacing.current) return
    // Only what was never sent is known not to have been ordered.
    if (!navigator.onLine) return tellNotSent()
    isPlacing.current = true
    setIsBusy(true)
    setNotice(null)
    try {
      const isLeaving = await order(delivery, price)
      if (!isLeaving) letGo()
    } catch (error) {
      console.error('the order was not placed', error)
      letGo()
      tellFailed(UNKNOWN)
    }
  }

  async function order(
    delivery: Checkout,
    { totalCents, promoCode }: { totalCents: number; promoCode: string | null },
  ) {
    const client = await loadBackend()
    const wish = wishFor(delivery, { totalCents, promoCode })
    const key = keyFor(
      wish,
      cart.lines.map((line) => [lineKey(line), line.quantity, line.priceCents]),
    )
    const placing = await placeOrder(client, { wish, key })

    switch (placing.outcome) {
      case 'placed':
        cart.agreeToPrices()
        await leadOn(placing.order, { delivery, userId, navigate })
        return true
      case 'invalid':
        onInvalid(placing.errors)
        return false
      case 'promo-refused':
        onPromoRefused(placing.message)
        setNotice({ text: `${placing.message}. The total above is without it.` })
        return false
      case 'price-changed':
      case 'sold-out':
        toast(notPlaced)
        setNotice({ text: placing.message, isAboutLines: placing.outcome === 'sold-out' })
        await cart.reload()
        await cart.check()
        if (placing.outcome === 'price-changed') await onPriceChanged()
        return false
    }
  }

  const isSettled = notice?.isAboutLines && !cart.lines.some((line) => line.problem)
  return { place, tellNotSent, isBusy, notice: isSettled ? null : (notice?.text ?? null) }
}

interface WayOn {
  delivery: Checkout
  userId: string
  navigate: NavigateFunction
}

/** From the placed order on to the payment, or past it when there is nothing to pay. */
async function leadOn(placed: PlacedOrder, { delivery, userId, navigate }: WayOn): Promise<void> {
  const client = await loadBackend()
  const remembering = rememberAddress(client, { userId, delivery })
  if (placed.status !== 'pending_payment') {
    const { sendOrderMails } = await import('#app/storefront/order/order-mails.ts')
    await sendOrderMails(client, placed.id)
    await navigate(`/payment-success?order_id=${placed.id}`)
    return
  }
  const payment = await preparePayment(client, {
    order: placed,
    payer: { email: delivery.email, fullName: delivery.full_name },
  })
  await Promise.race([remembering, pause(2_000)])
  goToPayment(payment)
}

function wishFor(
  { accept_terms: _accepted, ...delivery }: Checkout,
  { totalCents, promoCode }: { totalCents: number; promoCode: string | null },
): Wish {
  return { delivery, expected_total: totalCents / 100, promo_code: promoCode }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
