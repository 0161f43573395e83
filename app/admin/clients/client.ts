import type { Tables } from '#database'
import { saveUnlessChanged, type Versioned } from '../form/save-unless-changed.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export type Client = Tables<'clients'>

/** The columns that an admin may change; only the client can change the e-mail address. */
export type ClientDetails = Pick<Client, 'full_name' | 'phone' | 'address' | 'city' | 'state' | 'zip_code'>

export function clientName({ full_name, email }: Pick<Client, 'full_name' | 'email'>): string {
  return full_name || email || 'Unnamed client'
}

export function useUpdateClient(id: string) {
  return useToastMutation({
    mutationFn: ({ details, seen }: { details: ClientDetails; seen: Versioned }) =>
      saveUnlessChanged({ table: 'profiles', seen, values: details }),
    success: 'Client updated successfully',
    undoes: () => ({ table: 'profiles', id }),
    invalidates: ['profiles', 'orders'],
  })
}
