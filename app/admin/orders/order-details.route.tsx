import { useNavigate, useParams, useSearchParams } from 'react-router'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import { QueryFailure } from '../list/resource-list.tsx'
import { OrderDetails } from './order-details.tsx'
import { useOrder } from './order-queries.ts'

/** The dialog has its own URL, so that mails can link to an order and a reload keeps it open. */
export default function OrderDetailsRoute() {
  const { orderId = '' } = useParams()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const order = useOrder(orderId)

  const close = () =>
    void navigate({ pathname: '/admin/orders', search: search.toString() }, { preventScrollReset: true })

  return (
    <FormDialog title="Order Details" isOpen onClose={close} size="xl">
      {order.data ? (
        <OrderDetails key={order.data.id} order={order.data} onDeleted={close} />
      ) : order.isError ? (
        <QueryFailure what="This order" query={order} />
      ) : (
        <Skeleton height={320} />
      )}
    </FormDialog>
  )
}
