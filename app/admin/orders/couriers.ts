import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import { useSave } from '../form/use-edit.tsx'
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

export const useChangeCourier = () =>
  useSave<Partial<CourierInput & Pick<Courier, 'is_archived'>>>('courier_companies', {
    success: ({ is_archived }) => courierToast(is_archived),
    invalidates: ['couriers', 'orders'],
  })

function courierToast(isArchived: boolean | undefined): string {
  if (isArchived === undefined) return 'Courier saved'
  return isArchived ? 'Courier archived' : 'Courier restored'
}
