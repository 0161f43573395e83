import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { BrowserClient } from '#database'
import { STAFF_LINE_COLUMNS, STAFF_ORDER_COLUMNS, staffOrder } from '#domain/order.ts'
import type { InvoicePayment, InvoiceRefund } from './invoice-money.ts'

/** Limits the size of the query and the page. */
export const MAX_PRINTED_ORDERS = 100

/** The orders in the order of `ids`. */
export function usePrintedOrders(ids: string[]) {
  return useQuery({
    queryKey: ['orders', 'paper', ids],
    enabled: ids.length > 0,
    queryFn: async () => {
      const rows = await queryBackend((backend) =>
        backend
          .from('orders')
          .select(`${STAFF_ORDER_COLUMNS}, order_items(${STAFF_LINE_COLUMNS})`)
          .in('id', ids)
          .order('position', { referencedTable: 'order_items' }),
      )
      return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)).map(staffOrder)
    },
  })
}

export interface InvoiceMoney {
  payments: InvoicePayment[]
  refunds: InvoiceRefund[]
}

/** The payments and refunds of these orders, oldest first. */
export function useInvoiceMoney(ids: string[]) {
  return useQuery({
    queryKey: ['orders', 'invoice-money', ids],
    enabled: ids.length > 0,
    queryFn: async (): Promise<InvoiceMoney> => {
      const [payments, refunds] = await Promise.all([
        queryBackend((backend) =>
          backend
            .from('payments')
            .select(
              'order_id, way, amount_gross, created_at, received_on, payment_acceptances(shortfall), payment_withdrawals(created_at)',
            )
            .in('order_id', ids)
            .order('created_at'),
        ),
        queryBackend((backend) => paidRefunds(backend, ids)),
      ])
      const counted = payments.filter(({ payment_withdrawals: withdrawal }) => withdrawal === null)
      return { payments: counted, refunds }
    },
  })
}

/** Selects the refunds that have been paid, oldest first; amounts in rand. */
export function paidRefunds(backend: BrowserClient, orderIds: string[]) {
  return backend
    .from('refunds')
    .select('order_id, amount, state_since')
    .in('order_id', orderIds)
    .eq('state', 'done')
    .order('state_since')
}
