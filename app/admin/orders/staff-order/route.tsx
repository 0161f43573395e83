import { useState, type FormEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/field.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { orderNumberText } from '#domain/order-status.ts'
import { HAND_OVER } from '#domain/shipping-method.ts'
import formStyles from '../../list/form-dialog.module.css'
import { Failure } from '../../list/resource-list.tsx'
import { useFormGuard } from '../../list/use-form-guard.tsx'
import { useOrder, useOrderItems } from '../order-queries.ts'
import type { Order } from '../order.ts'
import styles from './staff-order.module.css'
import { DeliveryFields } from './delivery-fields.tsx'
import { LineEditor } from './line-editor.tsx'
import {
  deliveryFrom,
  deliveryProblems,
  linesFrom,
  useColours,
  usePlaceStaffOrder,
  useQuote,
  type Colour,
  type StaffOrderDelivery,
  type StaffOrderLine,
} from './staff-order.ts'
import { PaymentFields, INITIAL_PAYMENT, type PaymentInput } from './payment-fields.tsx'
import { QuoteSummary } from './quote-summary.tsx'

const EMPTY_DELIVERY: StaffOrderDelivery = {
  full_name: '',
  email: '',
  phone: '',
  shipping_method: 'locker',
  locker_location: '',
  address: '',
  city: '',
  state: '',
  zip_code: '',
  notes: '',
}

/** An order by phone or from an expo; with `?replaces=<id>`, other lines for one that is not paid. */
export default function OrderByHand() {
  const [address] = useSearchParams()
  const replaces = address.get('replaces')
  const colours = useColours()

  if (colours.isError && !colours.data) {
    return <Failure what="The lures" error={colours.error} onRetry={() => void colours.refetch()} />
  }
  if (!colours.data) return <Skeleton height={480} />
  return replaces ? (
    <ReplacementForm id={replaces} colours={colours.data} />
  ) : (
    <OrderForm colours={colours.data} delivery={EMPTY_DELIVERY} lines={[]} />
  )
}

function ReplacementForm({ id, colours }: { id: string; colours: Colour[] }) {
  const order = useOrder(id)
  const items = useOrderItems(id)
  const failed = order.error ?? items.error
  if (failed) return <Failure what="This order" error={failed} onRetry={() => void order.refetch()} />
  if (!order.data || !items.data) return <Skeleton height={480} />
  return (
    <OrderForm
      colours={colours}
      delivery={deliveryFrom(order.data)}
      lines={linesFrom(items.data, colours)}
      before={order.data}
    />
  )
}

const REPLACES =
  'An unpaid order that changes is replaced by a new one: the old one is cancelled, and its lures and promo code are free for this one.'
const SAME_RULES = 'The same prices, delivery costs, promo codes and stock as in the shop.'

interface FormProps {
  colours: Colour[]
  delivery: StaffOrderDelivery
  lines: StaffOrderLine[]
  /** The unpaid order that this one takes the place of. */
  before?: Order
}

function OrderForm({ colours, before, ...begun }: FormProps) {
  const navigate = useNavigate()
  const place = usePlaceStaffOrder()
  const { guard, markSaved, question } = useFormGuard()
  const [key] = useState(() => crypto.randomUUID())
  const [lines, setLines] = useState(begun.lines)
  const [delivery, setDelivery] = useState(begun.delivery)
  const [promoCode, setPromoCode] = useState(before?.promo_code ?? '')
  const [payment, setPayment] = useState<PaymentInput>({ ...INITIAL_PAYMENT, paidBy: before ? null : 'eft' })
  const quote = useQuote({
    lines,
    promoCode: promoCode.trim(),
    shippingMethod: delivery.shipping_method,
  })
  const title = before ? `Change the lines of #${orderNumberText(before.order_number)}` : 'Create order'

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!quote.data) return
    const wanted = {
      delivery,
      lines,
      expected_total: quote.data.total,
      promo_code: promoCode.trim() || null,
      paid_by: payment.paidBy,
      reference: payment.reference.trim() || null,
      handed_over: delivery.shipping_method === HAND_OVER && payment.paidBy !== null && payment.isHandedOver,
      replaces: before?.id ?? null,
    }
    place.mutate(
      { key, wanted },
      {
        onSuccess({ id }) {
          markSaved()
          void navigate(`/admin/orders/${id}`)
        },
      },
    )
  }

  return (
    <section aria-label={title} className={styles.page}>
      <h2>{title}</h2>
      <p className={styles.hint}>{before ? REPLACES : SAME_RULES}</p>
      <div className={formStyles.guarded} {...guard}>
        <form className={styles.form} onSubmit={save} noValidate>
          <LineEditor colours={colours} lines={lines} onChange={setLines} />
          <TextField
            label="Promo Code"
            isOptional
            value={promoCode}
            maxLength={60}
            autoCapitalize="characters"
            autoComplete="off"
            onChange={(event) => setPromoCode(event.target.value)}
          />
          <QuoteSummary quote={quote} before={before?.total_amount} />
          <DeliveryFields
            delivery={delivery}
            problems={deliveryProblems(place.error)}
            onChange={setDelivery}
          />
          <PaymentFields
            payment={payment}
            onChange={setPayment}
            canBeHandedOver={delivery.shipping_method === HAND_OVER}
          />
          <div className={styles.actions}>
            <ButtonLink to={before ? `/admin/orders/${before.id}` : '/admin/orders'} onClick={markSaved}>
              Cancel
            </ButtonLink>
            <Button type="submit" look="action" disabled={!quote.data || place.isPending}>
              {place.isPending ? 'Saving...' : before ? 'Replace the order' : 'Create order'}
            </Button>
          </div>
        </form>
        {question}
      </div>
    </section>
  )
}
