import { contactSchema, type Contact } from '#domain/validation/contact.ts'
import { validate } from '#domain/validation/schema.ts'

/** Brings the validation with it: load it when somebody begins to write. */
export function validateContact(typed: Contact) {
  return validate(contactSchema, typed)
}
