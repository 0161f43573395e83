import { PROVINCES } from '#domain/south-africa.ts'
import { anyContains, type List } from '../list/list.ts'
import { clientName, type Client } from './client.ts'

export const CLIENTS: List<Client> = {
  name: 'profiles',
  title: 'Clients',
  things: { one: 'client', many: 'clients' },
  idOf: ({ id }) => id,
  nameOf: clientName,
  searches: 'Name, e-mail, phone or town',
  filters: [
    {
      name: 'state',
      label: 'Province',
      choices: PROVINCES.map((province) => ({ value: province, label: province })),
    },
  ],
  sorts: {
    created_at: { label: 'Joined', ascending: 'oldest first', descending: 'newest first' },
    full_name: { label: 'Name', ascending: 'A to Z', descending: 'Z to A' },
    email: { label: 'Email', ascending: 'A to Z', descending: 'Z to A' },
  },
  firstSort: '-created_at',
  ask(backend, { search, filters: { state } }) {
    const clients = backend.from('profiles').select('*', { count: 'exact' })
    const found = search ? clients.or(clientsMeant(search)) : clients
    return state ? found.eq('state', state) : found
  },
}

const DIGITS_OF_A_NUMBER = 9

/** A phone number is found in any spelling: kept is `+27821234567`, typed is 082 123 4567. */
function clientsMeant(term: string): string {
  const words = anyContains(['full_name', 'email', 'phone', 'city'], term)
  const digits = term.replaceAll(/\D/g, '')
  if (digits.length < DIGITS_OF_A_NUMBER) return words
  return `${words},${anyContains(['phone'], digits.slice(-DIGITS_OF_A_NUMBER))}`
}
