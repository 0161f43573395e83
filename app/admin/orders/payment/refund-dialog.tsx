import { useState, type FormEvent } from 'react'
import { Choices } from '#app/ui/form/choices.tsx'
import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { Hint } from '#app/ui/layout.tsx'
import { centsFromRand, formatTotal, parseRand, randText } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { FormActions } from '../../form/form-actions.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import styles from '../../form/form-dialog.module.css'
import type { Order } from '../order.ts'
import { balanceName, balanceText } from './balance-text.ts'
import type { Balance } from './payment-record-query.ts'
import { useRefund } from './refund-changes.ts'
import { returnedItems, ReturnFields, type ReturnQuantities } from './return-fields.tsx'

interface Props {
  balance: Balance
  /** Null for a payment without an order. */
  order: Pick<Order, 'id' | 'order_number' | 'status'> | null
  onClose: () => void
}

/** A full or partial refund. The database enforces that the amount does not exceed the refundable balance. */
export function RefundDialog({ balance, order, onClose }: Props) {
  const refund = useRefund(balance.payment_id)
  const maxCents = centsFromRand(balance.refundable)
  const [isPart, setIsPart] = useState(false)
  const [amount, setAmount] = useState(randText(maxCents))
  const [reason, setReason] = useState('')
  const [returns, setReturns] = useState<ReturnQuantities>({})
  const [isByHand, setIsByHand] = useState(balance.refund_way === 'by_hand')
  const [isTried, setIsTried] = useState(false)
  const cents = isPart ? (parseRand(amount) ?? 0) : maxCents
  const problems = problemsOf({ cents, maxCents, reason })

  const save = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (problems.amount || problems.reason) return
    const way = isByHand && balance.refund_way === 'payfast' ? ('by_hand' as const) : undefined
    const returned = returnedItems(returns)
    refund.mutate({ cents, reason: reason.trim(), returned, way }, { onSuccess: onClose })
  }

  return (
    <FormDialog
      title={order ? `Refund order #${orderNumberText(order.order_number)}` : 'Refund'}
      isOpen
      onClose={onClose}
    >
      <form className={styles.form} onSubmit={save} noValidate>
        <Hint>
          {balanceName(balance)}: {balanceText(balance)}
          {order && !balance.pays_order && ' It did not pay this order, so nothing goes back in stock.'}
        </Hint>
        <AmountChoice maxCents={maxCents} isPart={isPart} onChoose={setIsPart} />
        {isPart && (
          <TextField
            label="Amount (R)"
            inputMode="decimal"
            value={amount}
            error={isTried ? problems.amount : null}
            onChange={(event) => setAmount(event.target.value)}
          />
        )}
        <TextField
          label="Reason"
          hint="Shown to the customer in the e-mail."
          value={reason}
          maxLength={255}
          error={isTried ? problems.reason : null}
          onChange={(event) => setReason(event.target.value)}
        />
        {order && balance.pays_order && (
          <ReturnFields order={order} returns={returns} onChange={setReturns} />
        )}
        {balance.refund_way === 'payfast' && (
          <Checkbox
            label="I paid it back by hand"
            checked={isByHand}
            onChange={(event) => setIsByHand(event.target.checked)}
          />
        )}
        <Hint>{wayText(isByHand, formatTotal(cents))}</Hint>
        <FormActions
          label={refund.isPending ? 'Refunding...' : `Refund ${formatTotal(cents)}`}
          isBusy={refund.isPending}
          onCancel={onClose}
        />
      </form>
    </FormDialog>
  )
}

function AmountChoice({
  maxCents,
  isPart,
  onChoose,
}: {
  maxCents: number
  isPart: boolean
  onChoose: (isPart: boolean) => void
}) {
  return (
    <Choices legend="Amount">
      <label>
        <input type="radio" name="how-much" checked={!isPart} onChange={() => onChoose(false)} /> Full amount,{' '}
        {formatTotal(maxCents)}
      </label>
      <label>
        <input type="radio" name="how-much" checked={isPart} onChange={() => onChoose(true)} /> Part of it
      </label>
    </Choices>
  )
}

function problemsOf({ cents, maxCents, reason }: { cents: number; maxCents: number; reason: string }) {
  return {
    amount:
      cents < 1
        ? 'Please enter an amount in rand, for example 120.50'
        : cents > maxCents
          ? `At most ${formatTotal(maxCents)} can still be refunded`
          : null,
    reason: reason.trim().length < 3 ? 'Please say why, in a few words' : null,
  }
}

function wayText(isByHand: boolean, amount: string): string {
  return isByHand
    ? `This records a refund of ${amount} and e-mails the customer. Pay it back yourself, at PayFast, by EFT or in cash.`
    : `This asks PayFast to refund ${amount}. The customer gets an e-mail once PayFast has done so.`
}
