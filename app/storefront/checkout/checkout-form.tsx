import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { SessionUser } from '#app/data/stored-session.ts'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { Form } from '#app/ui/form/form.tsx'
import { useShippingTerms } from '#app/storefront/catalogue/shipping-terms.ts'
import { useFocusReturn } from '#app/ui/form/use-focus-return.ts'
import { useLazyForm } from '#app/ui/form/use-lazy-form.ts'
import { Grid, Stack } from '#app/ui/layout.tsx'
import { errorToast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useLatest } from '#app/ui/use-latest.ts'
import { priceCart, type CartPrice } from '#domain/pricing.ts'
import styles from './checkout.module.css'
import { DeliveryFields } from './delivery-fields.tsx'
import { FORM_ID, LINES_ID, saveDraft, readDraft, type CheckoutFields } from './draft.ts'
import { ErrorSummary } from './error-summary.tsx'
import { OrderSummary } from './order-summary.tsx'
import { PlaceOrder } from './place-order-block.tsx'
import { PromoBox } from './promo-box.tsx'
import { Review } from './review.tsx'
import { prepareProvinceGuess } from './use-province-guess.ts'
import { useCancelledOrderId, usePayAgain } from './use-pay-again.ts'
import { wasPlacedHere, usePlaceOrder } from './use-place-order.ts'
import { usePrefill } from './use-prefill.ts'
import { usePromo, type PromoEntry } from './use-promo.ts'

const importValidation = async () => (await import('./submission.ts')).validateDraft

export function CheckoutForm({ user }: { user: SessionUser }) {
  const toast = useToast()
  const [hasTried, setHasTried] = useState(false)
  const { status: cartStatus, lines, subtotalCents, check } = useCart()
  const { revalidate } = useRevalidator()
  const cancelledId = useCancelledOrderId()
  const [draft] = useState(() => ({ ...readDraft(user.id), accept_terms: cancelledId !== null }))
  const { loadValidation, prepare, ...fields } = useLazyForm(draft, importValidation)
  const { typed, setTyped, attachForm } = fields
  const promo = usePromo(user.id, subtotalCents)
  const price = priceCart(subtotalCents, { promo: promo.promo, rates: useShippingTerms() })
  const shown = { lines, totalCents: price.totalCents, promoCode: promo.promo?.code ?? null }

  usePrefill(user, setTyped)
  useEffect(() => saveDraft(user.id, typed), [user.id, typed])
  const isChecked = useCheckOnce(check)

  const showInvalid = () => {
    setHasTried(true)
    toast(errorToast('Please check all required fields', 'Validation Error'))
  }
  const { place, isBusy, failure } = usePlaceOrder({
    userId: user.id,
    shown,
    onInvalid(errors) {
      fields.showErrors(errors)
      showInvalid()
    },
    onPromoRefused: promo.refuse,
    async onPriceChanged() {
      await promo.recheck()
      await revalidate()
    },
  })

  const latestTyped = useLatest(typed)
  const submit = async (retriedOrderId: string | null = null) => {
    const focused = document.activeElement
    const validateDraft = await loadValidation().catch(() => null)
    const validated = validateDraft?.(latestTyped())
    // They were accepted for the cancelled order only: whatever form the buyer sees next asks for them again.
    if (retriedOrderId !== null) fields.change('accept_terms', false)
    if (!validated) return place(null)
    const { values, errors } = validated
    // Do not move the focus when the buyer has moved on to another field.
    fields.showErrors(errors ?? {}, { movesFocus: document.activeElement === focused })
    if (!values) return showInvalid()
    // Total and lines of the press: the shop refuses an order when either has changed since.
    const order = { delivery: values, ...shown }
    if (retriedOrderId === null || (await wasPlacedHere(retriedOrderId, order))) place(order)
  }

  const isPayingAgain = usePayAgain(cancelledId, {
    isReady: cartStatus === 'ready' && isChecked && promo.isSettled,
    submit,
  })

  const prepareAll = () => {
    prepare()
    // An order sent before the guess would lack the province.
    prepareProvinceGuess()
  }

  // The order would not contain changes made while it is being sent.
  const isSending = isBusy || isPayingAgain
  useFocusReturn(isSending, FORM_ID, LINES_ID)

  return (
    <Grid columns="minmax(0, 1fr)" gap={7} align="start" className={styles.columns} onFocus={prepareAll}>
      <Form id={FORM_ID} ref={attachForm} gap={6} shrinks inert={isSending} onSubmit={() => void submit()}>
        {hasTried && <ErrorSummary fields={fields} />}
        <DeliveryFields fields={fields} />
      </Form>
      <Summary fields={fields} price={price} promo={promo} isSending={isSending} failure={failure} />
    </Grid>
  )
}

interface SummaryProps {
  fields: CheckoutFields
  price: CartPrice
  promo: PromoEntry
  isSending: boolean
  failure: string | null
}

function Summary({ fields, price, promo, isSending, failure }: SummaryProps) {
  return (
    <Grid
      as="section"
      columns="minmax(0, 1fr)"
      gap={4}
      shrinks
      className={styles.summary}
      aria-labelledby="order-summary"
    >
      <h2 id="order-summary">Order Summary</h2>
      <Stack gap={4} shrinks inert={isSending}>
        <OrderSummary price={price} promo={promo.promo}>
          <PromoBox entry={promo} subtotalCents={price.subtotalCents} />
        </OrderSummary>
        <Review fields={fields} />
      </Stack>
      <PlaceOrder
        fields={fields}
        totalCents={price.totalCents}
        isBusy={isSending}
        isTotalKnown={promo.isSettled}
        failure={failure}
      />
    </Grid>
  )
}

/** Checks the cart when the page opens and returns whether that is done. The database checks later changes when it places the order. */
function useCheckOnce(check: () => Promise<void>): boolean {
  const [atFirst] = useState(() => check)
  const [isChecked, setChecked] = useState(false)
  useEffect(() => void atFirst().then(() => setChecked(true)), [atFirst])
  return isChecked
}
