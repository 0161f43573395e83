import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, type NavigateFunction } from 'react-router'
import { loadBackend } from '#app/data/backend.ts'
import { functionErrorMessage } from '#app/data/function-error-message.ts'
import { endsWithin } from '#app/data/ends-within.ts'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { useReturnFromPayment } from '#app/storefront/order/use-return-from-payment.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useIsStillHere } from '#app/ui/use-is-still-here.ts'
import { lineKey } from '#domain/cart.ts'
import type { OrderView } from '#domain/order.ts'
import type { Checkout } from '#domain/validation/checkout.ts'
import type { FieldErrors } from '#domain/validation/schema.ts'
import type { PlaceOrderInput } from './attempt.ts'
import { describesOrder, type ShownOrder } from './refusal.ts'

const OFFLINE =
  "You're offline, so nothing was ordered. We kept what you typed: try again when you're back online."
const UNKNOWN =
  "We didn't get a clear answer. Trying again can't order twice. If you have paid, wait for our e-mail instead."
const UNSAVED =
  "Your last change of the cart isn't saved yet, so nothing was ordered. Please check your cart and order again."

const notPlaced: Toast = {
  title: 'Error',
  description: 'Failed to place order. Please try again.',
  tone: 'destructive',
}

/** Why the shop refused the order. */
interface Refusal {
  /** `null`: the fields tell. */
  text: string | null
  /** Whether the text still describes what the page shows. */
  fits?: (shown: ShownOrder) => boolean
}

/** What the page showed at the press. */
interface Order extends ShownOrder {
  delivery: Checkout
}

interface PlaceOrderOptions {
  userId: string
  shown: ShownOrder
  onInvalid: (errors: FieldErrors<Checkout>) => void
  onPromoRefused: (reason: string) => void
  /** Reloads promo code and shipping rates, which the total depends on besides the lines. */
  onPriceChanged: () => Promise<void>
}

/** Several round trips on a slow connection. A change of the cart that gets no answer would delay the page for minutes. */
const CART_WITHIN_MS = 10_000

const KEY = { mutationKey: ['place-order'] }

/** Places one order at a time and continues to the payment. After a failure the form can be submitted again. */
export function usePlaceOrder({
  userId,
  shown,
  onInvalid,
  onPromoRefused,
  onPriceChanged,
}: PlaceOrderOptions) {
  const cart = useCart()
  const toast = useToast()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isStillHere = useIsStillHere()

  /** Resolves to `null` when the page leaves for the payment. */
  async function send(order: Order): Promise<Refusal | null> {
    // The form has loaded it to validate what was typed.
    const { placeOrder } = await import('./submission.ts')
    // The shown total contains changes of the cart that are still being stored. The shop refuses the order if they are late.
    const isCartSaved = await endsWithin(cart.settle(), CART_WITHIN_MS)
    const result = await placeOrder(await loadBackend(), {
      input: inputFor(order),
      cart: fingerprintLines(order),
    })

    const fits = (now: ShownOrder) => describesOrder(result, { refused: order, shown: now })
    switch (result.outcome) {
      case 'placed':
        cart.agreeToPrices()
        await continueToPayment(result.order, {
          delivery: order.delivery,
          userId,
          navigate,
          isStillHere,
          toast,
        })
        if (!isStillHere()) void cart.reload()
        return null
      case 'invalid':
        onInvalid(result.errors)
        return { text: null }
      case 'promo-refused':
        onPromoRefused(result.message)
        return { text: `${result.message}. The total above doesn't include it.`, fits }
      case 'amount-too-small':
        toast(notPlaced)
        return { text: result.message, fits }
      case 'price-changed':
        toast(notPlaced)
        await endsWithin(showCart().then(onPriceChanged), CART_WITHIN_MS)
        return isCartSaved ? { text: result.message, fits } : { text: UNSAVED }
      case 'sold-out':
        toast(notPlaced)
        await endsWithin(showCart(), CART_WITHIN_MS)
        return { text: result.message, fits }
    }
  }

  async function showCart(): Promise<void> {
    await cart.reload()
    await cart.check()
  }

  const { mutate, reset, isPending, isSuccess, data, error } = useMutation({
    ...KEY,
    mutationFn: async (order: Order | null) => {
      // Stop before sending: after a failed request it would be unknown whether an order was placed.
      if (!order || !navigator.onLine) throw new Error(OFFLINE)
      return send(order).catch((cause: unknown) => {
        console.error('the order was not placed', cause)
        throw new Error(UNKNOWN, { cause })
      })
    },
    onError: () => toast(notPlaced),
  })
  const isLeaving = isSuccess && data === null
  useReturnFromPayment({ isLeaving, onReturn: reset })

  const refusal = data?.fits?.(shown) === false ? null : data
  return {
    /** `null`: the code that validates the form did not load. */
    place: (order: Order | null) => {
      if (queries.isMutating(KEY) === 0) mutate(order)
    },
    isBusy: isPending || isLeaving,
    failure: error?.message ?? refusal?.text ?? null,
  }
}

/** Whether `orderId` was placed in this tab with the same contents. */
export async function wasPlacedHere(orderId: string, order: Order): Promise<boolean> {
  const { isSameOrder } = await import('./submission.ts')
  return isSameOrder(orderId, inputFor(order), fingerprintLines(order))
}

interface PaymentContext {
  delivery: Checkout
  userId: string
  navigate: NavigateFunction
  /** Whether the checkout is still open. */
  isStillHere: () => boolean
  toast: (toast: Toast) => void
}

/**
 * Leads to the payment page, to the confirmation when there is nothing to pay, or to the order when its payment is refused. Leaves a
 * buyer who has opened another page there.
 */
async function continueToPayment(
  placed: OrderView,
  { delivery, userId, navigate, isStillHere, toast }: PaymentContext,
): Promise<void> {
  const { goToPayment, preparePayment, saveAddress } = await import('./submission.ts')
  const client = await loadBackend()
  const saving = saveAddress(client, { userId, delivery })
  const isUnpaid = placed.status === 'pending_payment'
  try {
    if (isUnpaid && isStillHere()) {
      const payment = await preparePayment(client, placed)
      await endsWithin(saving, 2_000)
      if (isStillHere()) return goToPayment(payment)
    } else if (isStillHere()) return await navigate(`/payment-success?order_id=${placed.id}`)
  } catch (error) {
    const refusal = await functionErrorMessage(error)
    if (isStillHere() && !refusal) throw error
    console.error('the payment did not start', error)
    if (isStillHere() && refusal) {
      toast({ title: `Order #${placed.number} is placed`, description: refusal, isForNextPage: true })
      return navigate(`/account/orders/${placed.id}`)
    }
  }
  toast({
    title: `Order #${placed.number} is placed`,
    description: isUnpaid ? 'It is waiting for your payment.' : undefined,
    action: { label: 'Show order', run: () => void navigate(`/account/orders/${placed.id}`) },
  })
}

const fingerprintLines = ({ lines }: Order) =>
  lines.map((line) => [lineKey(line), line.quantity, line.priceCents])

function inputFor({
  delivery: { accept_terms: _accepted, ...delivery },
  lines,
  totalCents,
  promoCode,
}: Order): PlaceOrderInput {
  return {
    delivery,
    expected_total: totalCents / 100,
    promo_code: promoCode,
    expected_lines: lines.map(({ productName, productVariant, withHooks, quantity }) => ({
      product_name: productName,
      product_variant: productVariant,
      with_hooks: withHooks,
      quantity,
    })),
  }
}
