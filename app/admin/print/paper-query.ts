import { useQuery } from '@tanstack/react-query'
import { askBackend } from '#app/session/ask-backend.ts'
import type { Order, OrderItem } from '../orders/order.ts'

/** An order with what stands on paper about it. */
export interface PaperOrder extends Order {
  order_items: (OrderItem & { position: number })[]
}

/** More than this on one press of the button is a slip of the thumb. */
export const AT_MOST = 100

const FOR_PAPER = '*, profiles(full_name, email, phone), order_items(*)'

/** In the order in which they were asked for. */
export function usePaperOrders(ids: string[]) {
  return useQuery({
    queryKey: ['orders', 'paper', ids],
    enabled: ids.length > 0,
    queryFn: async () => {
      const orders = await askBackend<PaperOrder[]>((backend) =>
        backend.from('orders').select(FOR_PAPER).in('id', ids),
      )
      for (const { order_items: items } of orders) items.sort((a, b) => a.position - b.position)
      return orders.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    },
  })
}

interface Given {
  order_id: string | null
  amount: number
  state: string
}

/** What went back of each of these orders, in rand. */
export function useGivenBack(ids: string[]) {
  return useQuery({
    queryKey: ['orders', 'given-back', ids],
    enabled: ids.length > 0,
    queryFn: () =>
      askBackend<Given[]>((backend) =>
        backend.from('refunds').select('order_id, amount, state').in('order_id', ids).eq('state', 'done'),
      ),
  })
}
