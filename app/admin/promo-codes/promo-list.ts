import { anyContains, type List, choicesOf } from '../list/list.ts'
import { PROMO_STATES, type PromoCode } from './promo-code.ts'

export const PROMO_CODES: List<PromoCode> = {
  name: 'promo-codes',
  title: 'Promo Codes',
  noun: { singular: 'promo code', plural: 'promo codes' },
  idOf: ({ id }) => id,
  nameOf: ({ code }) => code,
  searchPlaceholder: 'Code',
  filters: [{ name: 'state', label: 'State', choices: choicesOf(PROMO_STATES) }],
  sorts: {
    created_at: { label: 'Created', ascending: 'oldest first', descending: 'newest first' },
    code: { label: 'Code', ascending: 'A to Z', descending: 'Z to A' },
    times_used: { label: 'Usage', ascending: 'least used first', descending: 'most used first' },
    revenue: { label: 'Revenue (net)', ascending: 'least first', descending: 'most first' },
    expires_at: { label: 'Expires', ascending: 'soonest first', descending: 'latest first' },
  },
  defaultSort: '-created_at',
  buildQuery(backend, { search, filters: { state } }) {
    const codes = backend.from('promo_code_results').select('*', { count: 'exact' })
    const matching = search ? codes.or(anyContains(['code'], search)) : codes
    return state ? matching.filter('state', 'eq', state) : matching
  },
}
