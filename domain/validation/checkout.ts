import { normalisePhoneNumber, normalisePostalCode } from '../south-africa.ts'
import { emailAddress, textBetween, z } from './schema.ts'

const phone = z.pipe(
  z.pipe(z.string(), z.transform(normalisePhoneNumber)),
  z.string().check(
    z.refine((value) => value.replace(/\D/g, '').length >= 10, 'Phone number must be at least 10 digits'),
    z.maxLength(20, 'Phone number is too long'),
  ),
)

const postalCode = z.pipe(
  z.pipe(z.string(), z.transform(normalisePostalCode)),
  textBetween([4, 'Postal code must be at least 4 characters'], [10, 'Postal code is too long']),
)

export const deliveryFields = z.object({
  full_name: textBetween([2, 'Name must be at least 2 characters'], [100, 'Name is too long']),
  email: emailAddress(),
  phone,
  shipping_method: z.enum(['locker', 'door-to-door'], 'Please select a shipping method'),
  locker_location: z.string().check(z.trim()),
  address: textBetween([5, 'Address must be at least 5 characters'], [200, 'Address is too long']),
  city: textBetween([2, 'City must be at least 2 characters'], [50, 'City is too long']),
  state: textBetween([2, 'State/Province must be at least 2 characters'], [50, 'State/Province is too long']),
  zip_code: postalCode,
  notes: z.string().check(z.trim(), z.maxLength(500, 'Notes must be less than 500 characters')),
  accept_terms: z.boolean().check(z.refine(Boolean, 'You must accept the terms and privacy policy')),
})

/**
 * The checkout's form. One wrong field does not stop the validation of the others, so that all errors appear at once. The locker is
 * validated only where the form shows it.
 */
export const checkoutSchema = deliveryFields.check(
  lockerRule((locker) => locker.length > 0, 'Please specify your nearest locker location'),
  lockerRule((locker) => locker.length <= 200, 'Locker location is too long'),
)

function lockerRule(isValid: (locker: string) => boolean, error: string) {
  return z.refine<z.infer<typeof deliveryFields>>(
    ({ shipping_method, locker_location }) => shipping_method !== 'locker' || isValid(locker_location),
    { path: ['locker_location'], error, when: () => true },
  )
}

export type Checkout = z.infer<typeof checkoutSchema>
