import { contactSchema, type Contact } from '#domain/validation/contact.ts'
import { judge } from '#domain/validation/schema.ts'

/** Brings the validation with it: load it when somebody begins to write. */
export function judgeContact(typed: Contact) {
  return judge(contactSchema, typed)
}
