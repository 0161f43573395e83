import { expect, it } from 'vitest'
import { emailSchema, loginSchema, newPasswordSchema, signUpSchema } from './account.ts'
import { validate } from './schema.ts'

// covers S5.5
it.each([
  [{ email: '', password: 'secret' }, { email: 'Email is required' }],
  [{ email: 'thandi@', password: 'secret' }, { email: 'Invalid email address' }],
  [
    { email: 'thandi@example.com', password: '12345' },
    { password: 'Password must be at least 6 characters' },
  ],
])('rejects the sign-in %j', (typed, errors) => {
  expect(validate(loginSchema, typed).errors).toEqual(errors)
})

it('accepts a sign-in password of six or more characters', () => {
  const login = { email: 'thandi@example.com', password: ` ${'x'.repeat(100)} ` }

  expect(validate(loginSchema, login).values).toEqual(login)
})

const newcomer = { fullName: 'Thandi Mokoena', email: 'thandi@example.com', password: 'correct horse' }

// covers S5.6 S9.13
it.each([
  [{ fullName: 'T' }, { fullName: 'Name must be at least 2 characters' }],
  [{ fullName: 'T'.repeat(101) }, { fullName: 'Name is too long' }],
  [{ email: 'nope' }, { email: 'Invalid email address' }],
  [{ password: '12345' }, { password: 'Password must be at least 6 characters' }],
  [{ password: 'x'.repeat(73) }, { password: 'Password is too long' }],
])('rejects a sign-up with %j', (change, errors) => {
  expect(validate(signUpSchema, { ...newcomer, ...change }).errors).toEqual(errors)
})

// covers S5.6
it('accepts a sign-up with fields of the maximum length', () => {
  expect(validate(signUpSchema, { ...newcomer, fullName: 'Jo', password: 'x'.repeat(72) }).errors).toBeNull()
})

it('validates a new password with the same rules as a sign-up', () => {
  expect(validate(newPasswordSchema, { password: '12345' }).errors).toEqual({
    password: 'Password must be at least 6 characters',
  })
  expect(validate(newPasswordSchema, { password: 'x'.repeat(73) }).errors).toEqual({
    password: 'Password is too long',
  })
})

it('validates a single e-mail address', () => {
  expect(validate(emailSchema, { email: ' ' }).errors).toEqual({ email: 'Email is required' })
  expect(validate(emailSchema, { email: ' thandi@example.com ' }).values).toEqual({
    email: 'thandi@example.com',
  })
})
