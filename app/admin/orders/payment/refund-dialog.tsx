import { useState } from 'react'
import { RadioGroup } from '#app/ui/form/radio-group.tsx'
import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { Hint } from '#app/ui/layout.tsx'
import { centsFromRand, formatTotal, parseRand, randText } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { balanceName, balanceText } from './balance-text.ts'
import type { Balance } from './payment-record-query.ts'
import { refundableNow, useRefund } from './refund-changes.ts'
import { ReturnedPrice } from './returned-price.tsx'
import { returnedItems, ReturnFields, type ReturnQuantities } from './return-fields.tsx'
import { useReason } from './reason-dialog.tsx'
import { requestedWay, wayText } from './refund-way.ts'

interface Props {
  balance: Balance
  /** Null for a payment without an order. */
  order: Pick<StaffOrder, 'id' | 'number' | 'status' | 'customerEmail'> | null
  onClose: () => void
}

/** A full or partial refund. The database enforces that the amount does not exceed the refundable balance. */
export function RefundDialog({ balance, order, onClose }: Props) {
  const refund = useRefund(balance.payment_id)
  const maxCents = centsFromRand(balance.refundable)
  // Kept when the balance is loaded again, so that a retry after a lost response is refused if the refund was recorded.
  const [was, setWas] = useState(balance.refundable)
  const [isPart, setIsPart] = useState(false)
  const [amount, setAmount] = useState(randText(maxCents))
  const isMailed = Boolean(order?.customerEmail)
  const reason = useReason(isMailed ? 'Shown to the customer in the e-mail.' : 'Visible to staff only.')
  const [returns, setReturns] = useState<ReturnQuantities>({})
  const [isByHand, setIsByHand] = useState(balance.refund_way === 'by_hand')
  const cents = isPart ? (parseRand(amount) ?? 0) : maxCents
  const problem = amountProblem(cents, maxCents)

  const save = () => {
    const given = reason.read()
    if (problem || given === null) return
    const returned = returnedItems(returns)
    refund.mutate(
      { cents, reason: given, returned, way: requestedWay(balance, { isByHand }), was },
      { onSuccess: onClose, onError: (error) => setWas(refundableNow(error) ?? was) },
    )
  }

  return (
    <DialogForm
      title={order ? `Refund order #${order.number}` : 'Refund'}
      submit={refund.isPending ? 'Refunding...' : `Refund ${formatTotal(cents)}`}
      isBusy={refund.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <Hint>
        {balanceName(balance)}: {balanceText(balance)}
        {order && !balance.pays_order && ' It did not pay this order, so nothing goes back in stock.'}
      </Hint>
      <RadioGroup
        name="how-much"
        legend="Amount"
        value={isPart}
        options={[
          { value: false, label: `Full amount, ${formatTotal(maxCents)}` },
          { value: true, label: 'Part of it' },
        ]}
        onChange={setIsPart}
      />
      {isPart && (
        <TextField
          label="Amount (R)"
          inputMode="decimal"
          value={amount}
          error={reason.isTried ? problem : null}
          onValue={setAmount}
        />
      )}
      {reason.field}
      {order && balance.pays_order && (
        <>
          <ReturnFields order={order} returns={returns} onChange={setReturns} />
          <ReturnedPrice
            orderId={order.id}
            returns={returns}
            onUse={(price) => {
              setIsPart(true)
              setAmount(randText(Math.min(price, maxCents)))
            }}
          />
        </>
      )}
      {balance.refund_way === 'payfast' && (
        <Checkbox label="I paid it back by hand" checked={isByHand} onCheck={setIsByHand} />
      )}
      <Hint>{wayText(formatTotal(cents), { isByHand, isMailed })}</Hint>
    </DialogForm>
  )
}

/** Returns what is wrong with the amount of a refund, or null. */
export function amountProblem(cents: number, maxCents: number): string | null {
  if (cents < 1) return 'Please enter an amount in rand, for example 120.50'
  return cents > maxCents ? `At most ${formatTotal(maxCents)} can still be refunded` : null
}
