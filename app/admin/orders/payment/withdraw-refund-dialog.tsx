import { useState, type FormEvent } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { ErrorText } from '#app/ui/layout.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { FormActions } from '../../form/form-actions.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import styles from '../../form/form-dialog.module.css'
import type { Order } from '../order.ts'
import type { Refund } from './payment-record-query.ts'
import { isReturnedStockSold, useWithdrawRefund } from './refund-changes.ts'

interface Props {
  refund: Refund
  order: Order
  onClose: () => void
}

/** Confirms the withdrawal of a refund that was recorded by mistake, and states its effects. */
export function WithdrawRefundDialog({ refund, order, onClose }: Props) {
  const withdraw = useWithdrawRefund(refund.id)
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isShort = reason.trim().length < 3
  const amount = formatTotal(centsFromRand(refund.amount))

  const save = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (!isShort && !withdraw.isPending) withdraw.mutate(reason.trim(), { onSuccess: onClose })
  }

  return (
    <FormDialog title={`Withdraw refund of ${amount}`} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={save} noValidate>
        <p>
          Only for a refund that was recorded by mistake: you did not pay back this {amount}. If you paid
          another amount, record that refund afterwards.
        </p>
        <p>{moneyText(order, amount)}</p>
        {refund.restocked && <p>{stockText(order)}</p>}
        <p>{mailText(order)}</p>
        <TextField
          label="Reason"
          hint="Visible to staff only."
          value={reason}
          maxLength={255}
          error={isTried && isShort ? 'Please say why, in a few words' : null}
          onChange={(event) => setReason(event.target.value)}
        />
        {withdraw.error && isReturnedStockSold(withdraw.error) && (
          <ErrorText size="s" role="alert">
            {withdraw.error.message}
          </ErrorText>
        )}
        <FormActions
          label={withdraw.isPending ? 'Withdrawing...' : 'Withdraw refund'}
          isBusy={withdraw.isPending}
          onCancel={onClose}
        />
      </form>
    </FormDialog>
  )
}

function moneyText({ status }: Order, amount: string): string {
  return status === 'cancelled'
    ? `The ${amount} counts as received again, and the refund of this cancelled order is due again.`
    : `The ${amount} counts as received again: on this order, on its invoice and in your revenue.`
}

function stockText({ status }: Order): string {
  return status === 'cancelled'
    ? 'This order is cancelled, so the lures that its cancellation put back in stock stay there. Others are taken out of stock again.'
    : 'The lures that this refund put back in stock return to the order. If some of them have been sold, correct the stock first.'
}

function mailText({ customer_email, order_number }: Order): string {
  return customer_email
    ? `${customer_email} gets an e-mail: “Correction to your refund for order ${orderNumberText(order_number)}”.`
    : 'This order has no e-mail address, so no e-mail is sent. Please tell the customer yourself.'
}
