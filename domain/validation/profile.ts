import { deliveryFields } from './checkout.ts'
import { validate, z, type FieldErrors } from './schema.ts'

const { full_name, phone, address, city, state, zip_code } = deliveryFields.shape

/** What a customer tells about themselves, by the checkout's rules. */
const profileSchema = z.object({ full_name, phone, address, city, state, zip_code })

export type Profile = z.infer<typeof profileSchema>
export type KeptProfile = { [Field in keyof Profile]: string | null }

/** Only the name must be there: what is left empty is kept as unknown, and asked for at the checkout. */
export function validateProfile(
  typed: Profile,
): { values: KeptProfile; errors: null } | { values: null; errors: FieldErrors<Profile> } {
  const told = Object.fromEntries(
    Object.entries(typed).filter(([field, value]) => !isLeftEmpty(field, value)),
  )
  const { values, errors } = validate(z.partial(profileSchema), { full_name: '', ...told })
  if (errors) return { values: null, errors }
  const kept = (field: keyof Profile) => values[field] ?? null
  return {
    values: {
      full_name: kept('full_name'),
      phone: kept('phone'),
      address: kept('address'),
      city: kept('city'),
      state: kept('state'),
      zip_code: kept('zip_code'),
    },
    errors: null,
  }
}

function isLeftEmpty(field: string, value: string): boolean {
  return field !== 'full_name' && value.trim() === ''
}
