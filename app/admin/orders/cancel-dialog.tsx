import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import type { StaffOrder } from '#domain/order.ts'
import { cancelQuestion } from './cancel-question.ts'
import { runInBatches } from './run-in-batches.ts'
import { orderCountText } from './bulk-orders.ts'

interface Props {
  orders: Pick<StaffOrder, 'id' | 'number'>[]
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Confirms every cancellation, single or bulk, and states its effects. */
export function CancelDialog({ orders, isBusy, onConfirm, onClose }: Props) {
  const preview = useCancellationPreview(orders.map(({ id }) => id))
  const many = orders.length === 1 ? null : orderCountText(orders.length)

  return (
    <ConfirmDialog
      title={`Cancel ${many ?? `order #${orders[0]?.number}`}`}
      question={
        preview.data
          ? cancelQuestion(preview.data)
          : preview.isError
            ? 'The amounts could not be loaded. Close this and try again.'
            : 'Calculating...'
      }
      confirm={{
        label: `Cancel ${many ?? 'order'}`,
        busyLabel: 'Cancelling...',
        isBusy,
        isIncomplete: !preview.data,
      }}
      dismissLabel={many ? 'Keep orders' : 'Keep order'}
      isOpen
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}

/**
 * Loads the effects once, when the dialog opens. The key is not under `orders`, which a change invalidates: the orders are cancelled
 * before the dialog closes, and a refetch would show zero orders.
 */
function useCancellationPreview(ids: string[]) {
  return useQuery({
    queryKey: ['cancellation-preview', ids],
    gcTime: 0,
    staleTime: Infinity,
    queryFn: async () => {
      const batches = await runInBatches(ids, (order_ids) =>
        queryBackend((backend) => backend.rpc('preview_cancellation', { order_ids })),
      )
      return batches.reduce((total, batch) => ({
        orders: total.orders + batch.orders,
        mails: total.mails + batch.mails,
        to_refund: total.to_refund + batch.to_refund,
        shipped: total.shipped + batch.shipped,
      }))
    },
  })
}
