import { useQuery } from '@tanstack/react-query'
import { askBackend, askCounting, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../../list/use-change.ts'
import type { InternalNote } from '../../notes/internal-notes.tsx'
import type { Client } from '../client.ts'

/** Another account that may be the same person's, and why it cannot be merged, if it cannot. */
export interface Duplicate extends Pick<Client, 'id' | 'full_name' | 'email' | 'phone' | 'created_at'> {
  orders: number
  problem: string | null
}

/** What `show_client` answers. */
export interface WholeClient extends Client {
  is_admin: boolean
  last_sign_in_at: string | null
  orders: number
  paid_orders: number
  /** Rand, net of refunds. */
  spend: number
  refunded: number
  last_order_at: string | null
  consent: { is_given: boolean; wording: string | null; changed_at: string | null }
  duplicates: Duplicate[]
}

export interface ClientOrder {
  id: string
  order_number: number
  status: string
  total_amount: number
  paid_at: string | null
  created_at: string
}

/** A row of the ledger of consent. */
export interface ConsentEntry {
  id: number
  email: string
  is_given: boolean
  source: string
  wording: string
  created_at: string
}

export const ORDERS_SHOWN = 20

export function useClient(id: string) {
  return useQuery({
    queryKey: ['profiles', 'one', id],
    queryFn: () => askBackend<WholeClient>((backend) => backend.rpc('show_client', { client_id: id })),
  })
}

/** The newest, and how many there are. */
export function useClientOrders(id: string) {
  return useQuery({
    queryKey: ['orders', 'of', id],
    queryFn: async () => {
      const { data, count } = await askCounting((backend) =>
        backend
          .from('orders')
          .select('id, order_number, status, total_amount, paid_at, created_at', { count: 'exact' })
          .eq('customer_id', id)
          .order('created_at', { ascending: false })
          .range(0, ORDERS_SHOWN - 1),
      )
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the call itself selects these columns
      return { orders: data as ClientOrder[], count }
    },
  })
}

/** What was said with this account or for its address (the link in a mail is for an address), newest first. */
export function useConsentHistory({ id, email }: Pick<Client, 'id' | 'email'>) {
  const whose = [`customer_id.eq.${id}`, ...(email ? [`email.eq."${email.toLowerCase()}"`] : [])]
  return useQuery({
    queryKey: ['profiles', 'consents', whose],
    queryFn: () =>
      askBackend<ConsentEntry[]>((backend) =>
        backend
          .from('marketing_consents')
          .select('id, email, is_given, source, wording, created_at')
          .or(whose.join())
          .order('id', { ascending: false }),
      ),
  })
}

export function useClientNotes(id: string) {
  return useQuery({
    queryKey: ['profiles', 'notes', id],
    queryFn: () =>
      askBackend<InternalNote[]>((backend) =>
        backend
          .from('client_notes')
          .select('id, body, author_id, created_at')
          .eq('client_id', id)
          .order('created_at'),
      ),
  })
}

export function useAddClientNote(id: string) {
  return useChange({
    change: (body: string) =>
      tellBackend((backend) => backend.from('client_notes').insert({ client_id: id, body })),
    done: 'Note added',
    refreshes: ['profiles'],
  })
}

export function useEraseClient(id: string) {
  return useChange({
    change: () => tellBackend((backend) => backend.rpc('erase_client', { client_id: id })),
    done: 'Client erased',
    refreshes: ['profiles', 'orders', 'subscribers'],
  })
}

export function useMergeClients(keptId: string) {
  return useChange({
    change: (merged: Duplicate) =>
      tellBackend((backend) => backend.rpc('merge_clients', { kept_id: keptId, merged_id: merged.id })),
    done: (merged) => ({
      title: 'Accounts merged',
      description: `${merged.email ?? 'The other one'} is part of this one now.`,
    }),
    refreshes: ['profiles', 'orders'],
  })
}
