import { contactSchema, type Contact } from '#domain/validation/contact.ts'
import { validate } from '#domain/validation/schema.ts'

/** Import dynamically: this module includes the validation library. */
export function validateContact(typed: Contact) {
  return validate(contactSchema, typed)
}
