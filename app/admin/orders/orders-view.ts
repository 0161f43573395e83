import { ORDER_STATUSES, type OrderStatus } from '#domain/order-status.ts'
import type { OrdersView } from './order-queries.ts'

/** `?search=mokoena&status=new&page=2`, whatever somebody typed there. */
export function readOrdersView(address: URLSearchParams): OrdersView {
  const page = Number(address.get('page') ?? 1)
  const status = address.get('status')
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    search: (address.get('search') ?? '').trim().slice(0, 100),
    status: isStatus(status) ? status : null,
  }
}

/** The address of a view, without what goes without saying. */
export function ordersAddress({ page, search, status }: OrdersView): string {
  const address = new URLSearchParams({
    ...(search && { search }),
    ...(status && { status }),
    ...(page > 1 && { page: String(page) }),
  })
  return address.size > 0 ? `?${address}` : ''
}

function isStatus(value: string | null): value is OrderStatus {
  return ORDER_STATUSES.some((status) => status === value)
}
