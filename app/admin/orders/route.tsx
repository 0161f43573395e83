import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Outlet, useSearchParams } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import { useMediaQuery } from '#app/ui/use-media-query.ts'
import { staffOrder, type StaffOrder } from '#domain/order.ts'
import { useIsPacker } from '../frame/role.ts'
import { ListScreen } from '../list/list-screen.tsx'
import { useList } from '../list/use-list.ts'
import { OrderCard } from './order-card.tsx'
import { orderColumns, orderLink } from './order-columns.tsx'
import { ORDER_VIEWS, ORDERS, PACKER_VIEWS } from './order-list.ts'
import { OrderMoneyWarning } from './order-money-warning.tsx'
import { useOrderMoney } from './order-money.ts'
import { OrderDialog, type OpenOrderDialog } from './order-dialog.tsx'
import { renderBulkActions } from './bulk-actions.tsx'

const EMPTY = {
  title: 'No orders yet',
  advice: 'The first order appears here when it is placed. You get an e-mail when it is paid.',
}

/** The breakpoint at which `resource-table.module.css` tightens its tables. */
const COMPACT = '(max-width: 1279px)'

export default function OrdersTab() {
  const orders = useList(ORDERS)
  const [searchParams] = useSearchParams()
  const isPacker = useIsPacker()
  const [dialog, setDialog] = useState<OpenOrderDialog | null>(null)
  const shown = (orders.page.data?.rows ?? []).map(staffOrder)
  const money = useOrderMoney(shown, { isEnabled: !isPacker })
  const isCompact = useMediaQuery(COMPACT)
  const linkTo = (order: Pick<StaffOrder, 'id'>) => orderLink(order, searchParams.toString())

  return (
    <>
      <ListScreen
        list={orders}
        empty={EMPTY}
        columns={orderColumns({
          linkTo,
          onOpenDialog: setDialog,
          canDelete: !isPacker,
          money: money.data,
          isCompact,
        })}
        renderCard={(row) => (
          <OrderCard
            order={staffOrder(row)}
            link={linkTo(row)}
            money={money.data?.get(row.id)}
            onOpenDialog={setDialog}
          />
        )}
        opens={linkTo}
        above={<OrderMoneyWarning money={money} />}
        views={isPacker ? PACKER_VIEWS : ORDER_VIEWS}
        bulk={renderBulkActions}
        action={
          !isPacker && (
            <ButtonLink to={{ pathname: '/admin/orders/new', search: searchParams.toString() }}>
              <Plus size={18} aria-hidden /> Create order
            </ButtonLink>
          )
        }
      />
      {dialog && <OrderDialog {...dialog} onClose={() => setDialog(null)} />}
      <Outlet />
    </>
  )
}
