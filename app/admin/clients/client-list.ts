import { PROVINCES, formatPhone } from '#domain/south-africa.ts'
import type { ListFile } from '../export/export-button.tsx'
import { searchLimit, type List } from '../list/list.ts'
import { numericDate } from '#app/ui/local-date.tsx'
import { clientName, type Client } from './client.ts'

/** The limit of `search_clients` for the pages of the list. */
const SEARCH_LIMIT = 1000

export const CLIENTS: List<Client> = {
  name: 'profiles',
  title: 'Clients',
  noun: { singular: 'client', plural: 'clients' },
  idOf: ({ id }) => id,
  nameOf: clientName,
  searchPlaceholder: 'Name, e-mail, phone or town',
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
  defaultSort: '-created_at',
  searchEndsAt: SEARCH_LIMIT,
  buildQuery(backend, criteria) {
    const { search, filters } = criteria
    const at_most = searchLimit(CLIENTS, criteria)
    const clients = search
      ? backend.rpc('search_clients', { term: search, at_most }, { get: true, count: 'exact' })
      : backend.from('clients').select('*', { count: 'estimated' })
    return filters.state ? clients.eq('state', filters.state) : clients
  },
}

export const CLIENTS_FILE: ListFile<Client> = {
  name: 'clients.csv',
  columns: [
    ['Name', ({ full_name }) => full_name],
    ['Email', ({ email }) => email],
    ['Phone', ({ phone }) => formatPhone(phone ?? '')],
    ['Address', ({ address }) => address],
    ['City', ({ city }) => city],
    ['Province', ({ state }) => state],
    ['Postal code', ({ zip_code }) => zip_code],
    ['Joined', ({ created_at }) => numericDate(created_at)],
  ],
}
