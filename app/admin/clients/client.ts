import { useQuery } from '@tanstack/react-query'
import { askForAll, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../list/use-change.ts'

/** A row of `profiles`. */
export interface Client {
  id: string
  email: string | null
  full_name: string | null
  phone: string | null
  address: string | null
  city: string | null
  state: string | null
  zip_code: string | null
  created_at: string
}

/** What an admin may change; the e-mail address belongs to the account. */
export type ClientDetails = Pick<Client, 'full_name' | 'phone' | 'address' | 'city' | 'state' | 'zip_code'>

export function useClients() {
  return useQuery({
    queryKey: ['profiles', 'all'],
    queryFn: () =>
      askForAll<Client>((backend, { first, last }) =>
        backend
          .from('profiles')
          .select('*')
          .order('created_at', { ascending: false })
          .order('id')
          .range(first, last),
      ),
  })
}

export function useUpdateClient(id: string) {
  return useChange({
    change: (details: ClientDetails) =>
      tellBackend((backend) => backend.from('profiles').update(details).eq('id', id)),
    done: 'Client updated successfully',
    undoes: () => ({ table: 'profiles', id }),
    refreshes: ['profiles', 'orders'],
  })
}
