import { Undo2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { FormActions } from '../../form/form-actions.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import styles from '../../form/form-dialog.module.css'
import { useDismissRefundTask, type RefundTask } from '../refund-task.ts'
import type { Order } from '../order.ts'
import { balanceName } from './balance-text.ts'
import { useBalancesOfOrder, type Balance } from './payment-record-query.ts'
import { RefundDialog } from './refund-dialog.tsx'

interface Props {
  task: RefundTask
  order: Pick<Order, 'id' | 'order_number' | 'status'>
}

/** Refunds the payments of a cancelled order, or dismisses the refund with a reason. */
export function RefundDueActions({ task, order }: Props) {
  const balances = useBalancesOfOrder(order.id)
  const [refunding, setRefunding] = useState<Balance | null>(null)
  const [isDismissing, setIsDismissing] = useState(false)
  const due = (balances.data ?? []).filter(({ refundable }) => refundable > 0)

  return (
    <>
      {due.map((balance) => (
        <Button key={balance.payment_id} look="solid" onClick={() => setRefunding(balance)}>
          <Undo2 size={18} aria-hidden />
          {due.length === 1
            ? `Refund ${formatTotal(centsFromRand(balance.refundable))}`
            : `Refund ${formatTotal(centsFromRand(balance.refundable))} of ${balanceName(balance)}`}
        </Button>
      ))}
      <Button onClick={() => setIsDismissing(true)}>Dismiss refund</Button>
      {refunding && <RefundDialog balance={refunding} order={order} onClose={() => setRefunding(null)} />}
      {isDismissing && <DismissDialog task={task} onClose={() => setIsDismissing(false)} />}
    </>
  )
}

function DismissDialog({ task, onClose }: { task: RefundTask; onClose: () => void }) {
  const dismiss = useDismissRefundTask(task.id)
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isShort = reason.trim().length < 3

  const save = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (!isShort) dismiss.mutate(reason.trim(), { onSuccess: onClose })
  }

  return (
    <FormDialog title="Dismiss refund" isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={save} noValidate>
        <p>
          The shop keeps {formatTotal(centsFromRand(task.outstanding))}, and the refund leaves your to-do
          list. You can still refund it from the order.
        </p>
        <TextField
          label="Reason"
          hint="Visible to staff only."
          value={reason}
          maxLength={255}
          error={isTried && isShort ? 'Please say why, in a few words' : null}
          onChange={(event) => setReason(event.target.value)}
        />
        <FormActions label="Dismiss refund" isBusy={dismiss.isPending} onCancel={onClose} />
      </form>
    </FormDialog>
  )
}
