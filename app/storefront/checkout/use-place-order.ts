import { useRef, useState } from 'react'
import { useNavigate, type NavigateFunction } from 'react-router'
import { loadBackend } from '#app/data/backend.ts'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { useReturnFromPayment } from '#app/storefront/order/use-return-from-payment.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { lineKey } from '#domain/cart.ts'
import type { OrderView } from '#domain/order.ts'
import type { Checkout } from '#domain/validation/checkout.ts'
import type { FieldErrors } from '#domain/validation/schema.ts'
import type { PlaceOrderInput } from './attempt.ts'

const OFFLINE =
  "You're offline, so nothing was ordered. We kept what you typed: try again when you're back online."
const UNKNOWN = "We didn't get a clear answer. Nothing was charged, and trying again can't order twice."

const notPlaced: Toast = {
  title: 'Error',
  description: 'Failed to place order. Please try again.',
  tone: 'destructive',
}

/** Why the last attempt failed. */
interface Failure {
  text: string
  /** Disappears when all lines can be ordered. */
  isAboutLines?: boolean
}

interface PlaceOrderOptions {
  userId: string
  onInvalid: (errors: FieldErrors<Checkout>) => void
  onPromoRefused: (reason: string) => void
  /** Reloads promo code and shipping rates, which the total depends on besides the lines. */
  onPriceChanged: () => Promise<void>
}

/** Places one order at a time and continues to the payment. After a failure the form can be submitted again. */
export function usePlaceOrder({ userId, onInvalid, onPromoRefused, onPriceChanged }: PlaceOrderOptions) {
  const cart = useCart()
  const toast = useToast()
  const navigate = useNavigate()
  const isPlacing = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  const release = () => {
    isPlacing.current = false
    setIsBusy(false)
  }
  useReturnFromPayment(release)

  function showFailure(text: string) {
    toast(notPlaced)
    setFailure({ text })
  }
  const showOffline = () => showFailure(OFFLINE)

  async function place(delivery: Checkout, price: { totalCents: number; promoCode: string | null }) {
    if (isPlacing.current) return
    // Stop before sending: after a failed request it would be unknown whether an order was placed.
    if (!navigator.onLine) return showOffline()
    isPlacing.current = true
    setIsBusy(true)
    setFailure(null)
    try {
      const isLeaving = await order(delivery, price)
      if (!isLeaving) release()
    } catch (error) {
      console.error('the order was not placed', error)
      release()
      showFailure(UNKNOWN)
    }
  }

  async function order(
    delivery: Checkout,
    { totalCents, promoCode }: { totalCents: number; promoCode: string | null },
  ) {
    // The form has loaded it to validate what was typed.
    const { idempotencyKeyFor, placeOrder } = await import('./submission.ts')
    const client = await loadBackend()
    const input = inputFor(delivery, { totalCents, promoCode })
    const key = idempotencyKeyFor(
      input,
      cart.lines.map((line) => [lineKey(line), line.quantity, line.priceCents]),
    )
    const result = await placeOrder(client, { input, key })

    switch (result.outcome) {
      case 'placed':
        cart.agreeToPrices()
        await continueToPayment(result.order, { delivery, userId, navigate })
        return true
      case 'invalid':
        onInvalid(result.errors)
        return false
      case 'promo-refused':
        onPromoRefused(result.message)
        setFailure({ text: `${result.message}. The total above doesn't include it.` })
        return false
      case 'price-changed':
      case 'sold-out':
        toast(notPlaced)
        setFailure({ text: result.message, isAboutLines: result.outcome === 'sold-out' })
        await cart.reload()
        await cart.check()
        if (result.outcome === 'price-changed') await onPriceChanged()
        return false
    }
  }

  const isFixed = failure?.isAboutLines && !cart.lines.some((line) => line.problem)
  return { place, showOffline, isBusy, failure: isFixed ? null : (failure?.text ?? null) }
}

interface PaymentContext {
  delivery: Checkout
  userId: string
  navigate: NavigateFunction
}

/** Leads to the payment page, or to the confirmation when there is nothing to pay. */
async function continueToPayment(
  placed: OrderView,
  { delivery, userId, navigate }: PaymentContext,
): Promise<void> {
  const { goToPayment, preparePayment, saveAddress } = await import('./submission.ts')
  const client = await loadBackend()
  const saving = saveAddress(client, { userId, delivery })
  if (placed.status !== 'pending_payment') {
    await navigate(`/payment-success?order_id=${placed.id}`)
    return
  }
  const payment = await preparePayment(client, placed)
  await Promise.race([saving, pause(2_000)])
  goToPayment(payment)
}

function inputFor(
  { accept_terms: _accepted, ...delivery }: Checkout,
  { totalCents, promoCode }: { totalCents: number; promoCode: string | null },
): PlaceOrderInput {
  return { delivery, expected_total: totalCents / 100, promo_code: promoCode }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
