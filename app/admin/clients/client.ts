import { useQuery } from '@tanstack/react-query'
import { loadBackend } from '#app/session/backend.ts'
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
    refreshes: ['profiles', 'orders'],
  })
}

export function useEmailClient(client: Client) {
  return useChange({
    change: async (letter: { subject: string; message: string }) => {
      const backend = await loadBackend()
      const { error } = await backend.functions.invoke('send-admin-email', {
        body: { to: client.email, ...letter, customerName: client.full_name },
      })
      if (error) throw error
    },
    done: 'Email sent successfully',
    refreshes: [],
  })
}
