import { useQuery } from '@tanstack/react-query'
import { queryBackend, queryWithCount } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { BrowserClient, Returns, Tables } from '#database'
import { REFUND_TASK_COLUMNS, STAFF_ORDER_COLUMNS, staffOrder } from '#domain/order.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { Client } from '../client.ts'

export type ClientOverview = Returns<'get_client'>

/** Another account of possibly the same person. */
export type Duplicate = ClientOverview['duplicates'][number]

export type ConsentEntry = Pick<
  Tables<'marketing_consents'>,
  'id' | 'email' | 'is_given' | 'source' | 'wording' | 'created_at'
>

const ORDERS_SHOWN = 20

export function useClient(id: string) {
  return useBackendQuery(['profiles', 'one', id], (backend) => backend.rpc('get_client', { client_id: id }))
}

/** Returns the newest orders and the total count. */
export function useClientOrders(id: string) {
  return useQuery({
    queryKey: ['orders', 'of', id],
    queryFn: async () => {
      const { data: orders, count } = await queryWithCount((backend) => ordersOf(backend, id))
      return { orders: orders.map(staffOrder), count }
    },
  })
}

/** Selects the newest orders of a client, and counts all of them. */
export function ordersOf(backend: BrowserClient, clientId: string) {
  return backend
    .from('orders')
    .select(`${STAFF_ORDER_COLUMNS}, ${REFUND_TASK_COLUMNS}`, { count: 'exact' })
    .eq('customer_id', clientId)
    .order('created_at', { ascending: false })
    .range(0, ORDERS_SHOWN - 1)
}

/** Consents of this account or its address, newest first. A link in an e-mail records consent for an address without an account. */
export function useConsentHistory({ id, email }: Pick<Client, 'id' | 'email'>) {
  const whose = [`customer_id.eq.${id}`, ...(email ? [`email.eq."${email.toLowerCase()}"`] : [])]
  return useBackendQuery(['profiles', 'consents', whose], (backend) =>
    backend
      .from('marketing_consents')
      .select('id, email, is_given, source, wording, created_at')
      .or(whose.join())
      .order('id', { ascending: false }),
  )
}

export function useClientNotes(id: string) {
  return useBackendQuery(['profiles', 'notes', id], (backend) =>
    backend
      .from('client_notes')
      .select('id, body, author_id, created_at')
      .eq('client_id', id)
      .order('created_at'),
  )
}

export function useAddClientNote(id: string) {
  return useToastMutation({
    mutationFn: (body: string) =>
      queryBackend((backend) => backend.from('client_notes').insert({ client_id: id, body })),
    success: 'Note added',
    invalidates: ['profiles'],
  })
}
