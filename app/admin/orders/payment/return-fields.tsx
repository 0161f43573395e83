import { Choices } from '#app/ui/form/choices.tsx'
import { ErrorText, Hint, Text } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { hooksText, type StaffOrder } from '#domain/order.ts'
import { useReturnableItems, useStockTaken, type ReturnableItem } from './payment-record-query.ts'
import { QueryWarning } from '../../list/resource-list.tsx'
import styles from './return-fields.module.css'

/** How many of each line come off the order, by the line's id. */
export type ReturnQuantities = Readonly<Record<string, number>>

export function returnedItems(returns: ReturnQuantities): { order_item_id: string; quantity: number }[] {
  return Object.entries(returns)
    .filter(([, quantity]) => quantity > 0)
    .map(([order_item_id, quantity]) => ({ order_item_id, quantity }))
}

interface Props {
  order: Pick<StaffOrder, 'id' | 'status'>
  returns: ReturnQuantities
  onChange: (returns: ReturnQuantities) => void
}

/**
 * Quantities that a refund takes off the order and puts back in stock; by default none, because a refund does not imply a return.
 * Returned items of an unshipped order are no longer packed, and those that must still be made move no stock.
 */
export function ReturnFields({ order, returns, onChange }: Props) {
  const items = useReturnableItems(order.id)
  const taken = useStockTaken(order.id)
  const offered = (items.data ?? []).filter(({ returnable }) => returnable > 0)

  const ordered = offered.reduce((sum, { returnable }) => sum + returnable, 0)

  return (
    <Choices legend="Back in stock">
      {items.isPending && <Skeleton height={48} />}
      {items.isError && <ErrorText size="s">The items could not be loaded. Stock does not change.</ErrorText>}
      {!isNoLongerPacked(order) && (
        <QueryWarning query={taken}>
          Which of the lures must still be made could not be loaded: those come off first and change no stock.
        </QueryWarning>
      )}
      {items.data && (
        <Hint>
          {offered.length === 0
            ? 'No lures of this order can go back in stock, or they already have.'
            : hintFor(order, { mustBeMade: taken.data !== undefined && ordered > taken.data })}
        </Hint>
      )}
      {offered.map((item) => (
        <ReturnField
          key={item.order_item_id}
          item={item}
          quantity={returns[item.order_item_id] ?? 0}
          onChange={(quantity) => onChange({ ...returns, [item.order_item_id]: quantity })}
        />
      ))}
    </Choices>
  )
}

/** Of a shipped or cancelled order, no lure must still be made. */
function isNoLongerPacked({ status }: Props['order']): boolean {
  return status === 'shipped' || status === 'delivered' || status === 'cancelled'
}

function hintFor(order: Props['order'], { mustBeMade }: { mustBeMade: boolean }): string {
  if (isNoLongerPacked(order)) return 'Choose what the customer sent back and you can sell again.'
  return [
    'This order has not shipped yet. Choose only what the customer no longer gets: it will not be packed.',
    ...(mustBeMade ? ['Lures that must still be made come off first and change no stock.'] : []),
  ].join(' ')
}

interface FieldProps {
  item: ReturnableItem
  quantity: number
  onChange: (quantity: number) => void
}

function ReturnField({ item, quantity, onChange }: FieldProps) {
  const { product_name, product_variant, returnable } = item
  return (
    <label className={styles.line}>
      <Text as="span" breakWords shrinks>
        {[product_name, product_variant, hooksText(item.with_hooks)].filter(Boolean).join(', ')}
      </Text>
      <span className={styles.choice}>
        <select value={quantity} onChange={(event) => onChange(Number(event.target.value))}>
          {Array.from({ length: returnable + 1 }, (_, count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </select>{' '}
        of {item.quantity}
      </span>
    </label>
  )
}
