import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Undo2 } from 'lucide-react'
import { useRpcMutation } from '#app/data/use-toast-mutation.ts'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import type { RefundTask, StaffOrder } from '#domain/order.ts'
import { DialogButton } from '../../form/dialog-button.tsx'
import { QueryWarning } from '../../list/resource-list.tsx'
import { balanceName } from './balance-text.ts'
import { useBalancesOfOrder } from './payment-record-query.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'

interface Props {
  task: RefundTask
  order: Pick<StaffOrder, 'id' | 'number' | 'status' | 'customerEmail'>
}

/** Refunds the payments of a cancelled order, or dismisses the refund with a reason. */
export function RefundDueActions({ task, order }: Props) {
  const balances = useBalancesOfOrder(order.id)
  const dismiss = useRpcMutation('dismiss_refund_task', {
    success: 'Refund dismissed',
    invalidates: ['orders', 'order-events'],
  })
  // The dialog stays open when the payment changes meanwhile.
  const [refunding, setRefunding] = useState<string | null>(null)
  const refunded = balances.data?.find(({ payment_id }) => payment_id === refunding)
  const due = (balances.data ?? []).filter(({ refundable }) => refundable > 0)

  return (
    <>
      <QueryWarning query={balances}>The payments to refund could not be loaded.</QueryWarning>
      {due.map((balance) => (
        <Button key={balance.payment_id} look="solid" onClick={() => setRefunding(balance.payment_id)}>
          <Undo2 size={18} aria-hidden />
          {`Refund ${formatTotal(centsFromRand(balance.refundable))}`}
          {due.length > 1 && ` of ${balanceName(balance)}`}
        </Button>
      ))}
      {refunded && <RefundDialog balance={refunded} order={order} onClose={() => setRefunding(null)} />}
      <DialogButton
        renderDialog={(close) => (
          <ReasonDialog
            title="Dismiss refund"
            submit="Dismiss refund"
            isBusy={dismiss.isPending}
            onConfirm={(reason) => dismiss.mutate({ task_id: task.id, reason }, { onSuccess: close })}
            onClose={close}
          >
            <p>
              The shop keeps {formatTotal(centsFromRand(task.outstanding))}, and the refund leaves your to-do
              list. You can still refund it from the order.
            </p>
          </ReasonDialog>
        )}
      >
        Dismiss refund
      </DialogButton>
    </>
  )
}
