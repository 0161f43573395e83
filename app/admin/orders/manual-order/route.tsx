import { EMPTY_DELIVERY } from '#domain/delivery.ts'
import { useState, type FormEvent } from 'react'
import { useSearchParams } from 'react-router'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { useFocusReturn } from '#app/ui/form/use-focus-return.ts'
import { Hint, Panel, Row, Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useLateNavigate } from '#app/ui/use-late-navigate.ts'
import { HAND_OVER } from '#domain/shipping-method.ts'
import { STAFF_RESERVATION_DAYS } from '#domain/staff-reservation.ts'
import { shop } from '#shop'
import type { StaffOrder } from '#domain/order.ts'
import formStyles from '../../form/form-dialog.module.css'
import { Failure, QueryFailure } from '../../list/resource-list.tsx'
import { useFormGuard } from '../../form/use-form-guard.tsx'
import { useOrder, useOrderItems } from '../order-queries.ts'
import styles from './manual-order.module.css'
import { ManualOrderDeliveryFields } from './delivery-fields.tsx'
import { LineEditor } from './line-editor.tsx'
import {
  deliveryFrom,
  deliveryProblems,
  linesFrom,
  unavailableLines,
  useOrderableColours,
  usePlaceManualOrder,
  useQuote,
  type OrderableColour,
  type ManualOrderDelivery,
  type ManualOrderLine,
} from './manual-order.ts'
import { PaymentFields, INITIAL_PAYMENT, type PaymentInput } from './payment-fields.tsx'
import { QuoteSummary } from './quote-summary.tsx'

/** Creates an order by phone or at an expo. `?replaces=<id>` replaces an unpaid order with changed lines. */
export default function CreateOrder() {
  const [searchParams] = useSearchParams()
  const replaces = searchParams.get('replaces')
  const colours = useOrderableColours(replaces)

  if (colours.isError && !colours.data) {
    return <QueryFailure what="The lures" query={colours} />
  }
  if (!colours.data) return <Skeleton height={480} />
  return replaces ? (
    <ReplacementForm id={replaces} colours={colours.data} />
  ) : (
    <OrderForm colours={colours.data} delivery={EMPTY_DELIVERY} lines={[]} />
  )
}

function ReplacementForm({ id, colours }: { id: string; colours: OrderableColour[] }) {
  const order = useOrder(id)
  const items = useOrderItems(id)
  // The form keeps what it opens with: neither a row of the list nor an order from before will do.
  const [isFresh, setIsFresh] = useState(false)
  const isLoaded = [order, items].every(
    (query) => query.isSuccess && !query.isFetching && !query.isPlaceholderData,
  )
  if (isLoaded && !isFresh) setIsFresh(true)
  if (!isFresh || !order.data || !items.data) {
    const failed = order.error ?? items.error
    const retry = () => void Promise.all([order.refetch(), items.refetch()])
    return failed ? <Failure what="This order" error={failed} onRetry={retry} /> : <Skeleton height={480} />
  }
  const unavailable = unavailableLines(items.data, colours)
  return (
    <Stack gap={4}>
      {unavailable.length > 0 && (
        <Panel as="p" kind="warning" role="alert">
          No longer for sale, so not in the new order: {unavailable.join('; ')}.
        </Panel>
      )}
      <OrderForm
        colours={colours}
        delivery={deliveryFrom(order.data)}
        lines={linesFrom(items.data, colours)}
        replaced={order.data}
      />
    </Stack>
  )
}

const REPLACES =
  'A new order replaces the unpaid one. The old order is cancelled, so its lures and promo code can be used here.'
const SAME_RULES = 'Prices, shipping, promo codes and stock are the same as in the shop.'

/** A replacement of a customer's own order waits for PayFast, as that order did (docs/decisions/0017). */
function reservationPeriod(replaced: StaffOrder | undefined): string {
  return replaced?.customerId ? `${shop.orders.reservationMinutes} minutes` : `${STAFF_RESERVATION_DAYS} days`
}

function initialPayment(replaced: StaffOrder | undefined): PaymentInput {
  return { ...INITIAL_PAYMENT, paidBy: replaced ? null : 'eft' }
}

const FORM_ID = 'manual-order'

interface FormProps {
  colours: OrderableColour[]
  delivery: ManualOrderDelivery
  lines: ManualOrderLine[]
  /** The unpaid order that the new one replaces. */
  replaced?: StaffOrder
}

function OrderForm({ colours, replaced, ...initial }: FormProps) {
  const navigate = useLateNavigate()
  const placeOrder = usePlaceManualOrder()
  const { guard, markSaved, question } = useFormGuard()
  useFocusReturn(placeOrder.isPending, FORM_ID)
  const [key] = useState(() => crypto.randomUUID())
  const [lines, setLines] = useState(initial.lines)
  const [delivery, setDelivery] = useState(initial.delivery)
  const [promoCode, setPromoCode] = useState(replaced?.promoCode ?? '')
  const [payment, setPayment] = useState(() => initialPayment(replaced))
  const replaces = replaced?.id ?? null
  const quote = useQuote({ lines, promoCode, delivery, replaces })
  const title = replaced ? `Change items of #${replaced.number}` : 'Create order'

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!quote.data) return
    const input = {
      delivery,
      lines,
      expected_total: quote.data.total,
      promo_code: promoCode.trim() || null,
      paid_by: payment.paidBy,
      reference: payment.reference.trim() || null,
      handed_over: delivery.shipping_method === HAND_OVER && payment.paidBy !== null && payment.isHandedOver,
      replaces,
    }
    placeOrder.mutate(
      { key, input },
      {
        onSuccess({ id }) {
          markSaved()
          navigate(`/admin/orders/${id}`)
        },
      },
    )
  }

  return (
    <Stack as="section" gap={3} aria-label={title} className={styles.page}>
      <h2>{title}</h2>
      <Hint>{replaced ? REPLACES : SAME_RULES}</Hint>
      <div className={formStyles.guarded} {...guard}>
        <Stack as="form" id={FORM_ID} gap={5} inert={placeOrder.isPending} onSubmit={save} noValidate>
          <LineEditor colours={colours} lines={lines} onChange={setLines} />
          <TextField
            label="Promo Code"
            isOptional
            value={promoCode}
            maxLength={60}
            autoCapitalize="characters"
            autoComplete="off"
            onValue={setPromoCode}
          />
          <QuoteSummary quote={quote} beforeCents={replaced?.totalCents} />
          <ManualOrderDeliveryFields
            delivery={delivery}
            problems={deliveryProblems(placeOrder.error)}
            onChange={setDelivery}
          />
          <PaymentFields
            payment={payment}
            onChange={setPayment}
            reservedFor={reservationPeriod(replaced)}
            canBeHandedOver={delivery.shipping_method === HAND_OVER}
          />
          <Row gap={3} align="stretch" justify="end" wrap>
            <ButtonLink to={replaced ? `/admin/orders/${replaced.id}` : '/admin/orders'} onClick={markSaved}>
              Cancel
            </ButtonLink>
            <Button type="submit" look="action" disabled={!quote.data || placeOrder.isPending}>
              {placeOrder.isPending ? 'Saving...' : replaced ? 'Replace order' : 'Create order'}
            </Button>
          </Row>
        </Stack>
        {question}
      </div>
    </Stack>
  )
}
