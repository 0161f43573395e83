import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import { saveUnlessChanged } from '../form/save-unless-changed.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

/** `tracking_url` is https, with {number} for the tracking number. */
export type Courier = Tables<'courier_companies'>

export type CourierInput = Pick<Courier, 'name' | 'contact_person' | 'contact_phone' | 'tracking_url'>

export function useCouriers() {
  return useBackendQuery(['couriers'], (backend) =>
    backend.from('courier_companies').select('*').order('name'),
  )
}

/** Shorter prefixes match several couriers. */
const MIN_GUESS_LENGTH = 6

/** The id of the courier whose earlier waybills look like this one. */
export function useGuessedCourier(waybill: string): string | null {
  const guess = useBackendQuery(
    ['couriers', 'guess', waybill],
    (backend) => backend.rpc('guess_courier', { waybill }, { get: true }),
    { enabled: waybill.length >= MIN_GUESS_LENGTH },
  )
  return guess.data ?? null
}

export function useAddCourier() {
  return useToastMutation({
    mutationFn: (courier: CourierInput) =>
      queryBackend((backend) => backend.from('courier_companies').insert(courier).select().single()),
    success: 'Courier company added',
    invalidates: ['couriers'],
  })
}

interface CourierChange {
  seen: Courier
  values: Partial<CourierInput & { is_archived: boolean }>
}

export function useChangeCourier() {
  return useToastMutation({
    mutationFn: ({ seen, values }: CourierChange) =>
      saveUnlessChanged({ table: 'courier_companies', seen, values }),
    success: ({ values }) => ({ title: courierToast(values.is_archived) }),
    invalidates: ['couriers', 'orders'],
    undoes: ({ seen }) => ({ table: 'courier_companies', id: seen.id }),
  })
}

function courierToast(isArchived: boolean | undefined): string {
  if (isArchived === undefined) return 'Courier saved'
  return isArchived ? 'Courier archived' : 'Courier restored'
}
