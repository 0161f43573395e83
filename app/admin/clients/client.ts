import type { Tables } from '#database'
import { saveUnlessChanged, type Versioned } from '../list/save-unless-changed.ts'
import { useChange } from '../list/use-change.ts'

export type Client = Tables<'clients'>

/** What an admin may change; the e-mail address belongs to the account. */
export type ClientDetails = Pick<Client, 'full_name' | 'phone' | 'address' | 'city' | 'state' | 'zip_code'>

/** What a client is called where one word has to do. */
export function clientName({ full_name, email }: Pick<Client, 'full_name' | 'email'>): string {
  return full_name || email || 'A client without a name'
}

export function useUpdateClient(id: string) {
  return useChange({
    change: ({ details, seen }: { details: ClientDetails; seen: Versioned }) =>
      saveUnlessChanged({ table: 'profiles', seen, values: details }),
    done: 'Client updated successfully',
    undoes: () => ({ table: 'profiles', id }),
    refreshes: ['profiles', 'orders'],
  })
}
