import type { Tables } from '#database'
import type { SessionUser } from '#app/data/stored-session.ts'
import { parseProvince, formatPhone } from '#domain/south-africa.ts'
import type { Draft } from './draft.ts'

type Profile = Pick<Tables<'profiles'>, 'full_name' | 'phone' | 'address' | 'city' | 'state' | 'zip_code'>

/** Returns what the shop knows of the customer, as the fields of the checkout show it. */
export function knownDetails(
  { email, fullName }: Pick<SessionUser, 'email' | 'fullName'>,
  profile: Profile | null,
): Partial<Draft> {
  return {
    full_name: profile?.full_name || fullName || '',
    email: email ?? '',
    phone: formatPhone(profile?.phone ?? ''),
    address: profile?.address ?? '',
    city: profile?.city ?? '',
    state: parseProvince(profile?.state ?? ''),
    zip_code: profile?.zip_code ?? '',
  }
}

/** Returns the known details of the fields that are empty, except the focused one. */
export function onlyWhereEmpty(typed: Draft, known: Partial<Draft>, focused?: string | null): Partial<Draft> {
  const filled = new Map(Object.entries(typed))
  return Object.fromEntries(
    Object.entries(known).filter(([name, value]) => value && name !== focused && !filled.get(name)),
  )
}
