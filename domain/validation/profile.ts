import { deliveryFields } from './checkout.ts'
import { validate, z, type FieldErrors } from './schema.ts'

const { full_name, phone, address, city, state, zip_code } = deliveryFields.shape

/** Follows the checkout's rules. */
const profileSchema = z.object({ full_name, phone, address, city, state, zip_code })

export type Profile = z.infer<typeof profileSchema>
export type StoredProfile = { [Field in keyof Profile]: string | null }

/** Only the name is required; other empty fields become null, and the checkout asks for them. */
export function validateProfile(
  typed: Profile,
): { values: StoredProfile; errors: null } | { values: null; errors: FieldErrors<Profile> } {
  const filledIn = Object.fromEntries(
    Object.entries(typed).filter(([field, value]) => !isOmitted(field, value)),
  )
  const { values, errors } = validate(z.partial(profileSchema), { full_name: '', ...filledIn })
  if (errors) return { values: null, errors }
  const valueOrNull = (field: keyof Profile) => values[field] ?? null
  return {
    values: {
      full_name: valueOrNull('full_name'),
      phone: valueOrNull('phone'),
      address: valueOrNull('address'),
      city: valueOrNull('city'),
      state: valueOrNull('state'),
      zip_code: valueOrNull('zip_code'),
    },
    errors: null,
  }
}

function isOmitted(field: string, value: string): boolean {
  return field !== 'full_name' && value.trim() === ''
}
