import type { Tables } from '#database'
import { useSave } from '../form/use-edit.tsx'

export type Client = Tables<'clients'>

/** The columns that an admin may change; only the client can change the e-mail address. */
export type ClientDetails = Pick<Client, 'full_name' | 'phone' | 'address' | 'city' | 'state' | 'zip_code'>

export function clientName({ full_name, email }: Pick<Client, 'full_name' | 'email'>): string {
  return full_name || email || 'Unnamed client'
}

export const useUpdateClient = () =>
  useSave<ClientDetails>('profiles', {
    success: 'Client updated successfully',
    invalidates: ['profiles', 'orders'],
  })
