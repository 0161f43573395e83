import { expect, it } from 'vitest'
import { contactSchema } from './contact.ts'
import { validate } from './schema.ts'

const message = {
  name: 'Sipho Dlamini',
  email: 'sipho@example.com',
  subject: 'Custom colour',
  message: 'Could you paint one like a sardine, please?',
}

// covers S5.15
it('trims all fields of a contact message', () => {
  const spaced = Object.fromEntries(Object.entries(message).map(([field, text]) => [field, `  ${text} `]))

  expect(validate(contactSchema, spaced).values).toEqual(message)
})

// covers S5.15
it.each([
  ['name', 'S', 'Name must be at least 2 characters'],
  ['name', 'x'.repeat(101), 'Name must be less than 100 characters'],
  ['email', 'sipho', 'Invalid email address'],
  ['email', `${'x'.repeat(250)}@example.com`, 'Invalid email address'],
  ['subject', 'Hi', 'Subject must be at least 3 characters'],
  ['subject', 'x'.repeat(201), 'Subject must be less than 200 characters'],
  ['message', 'Too short', 'Message must be at least 10 characters'],
  ['message', 'x'.repeat(2001), 'Message must be less than 2000 characters'],
])('rejects a contact message with %s = %j', (field, value, text) => {
  expect(validate(contactSchema, { ...message, [field]: value }).errors).toEqual({ [field]: text })
})

// covers S9.13
it('accepts a contact message with fields of the maximum length', () => {
  const longest = { ...message, name: 'x'.repeat(100), subject: 'x'.repeat(200), message: 'x'.repeat(2000) }

  expect(validate(contactSchema, longest).errors).toBeNull()
  expect(
    validate(contactSchema, { ...longest, name: 'Jo', subject: 'Hey', message: 'x'.repeat(10) }).errors,
  ).toBeNull()
})
