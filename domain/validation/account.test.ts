import { expect, it } from 'vitest'
import { emailSchema, loginSchema, newPasswordSchema, signUpSchema } from './account.ts'
import { judge } from './schema.ts'

it.each([
  [{ email: '', password: 'secret' }, { email: 'Email is required' }],
  [{ email: 'thandi@', password: 'secret' }, { email: 'Invalid email address' }],
  [
    { email: 'thandi@example.com', password: '12345' },
    { password: 'Password must be at least 6 characters' },
  ],
])('refuses the login %j', (typed, errors) => {
  expect(judge(loginSchema, typed).errors).toEqual(errors)
})

it('takes a password at login as it is, however long', () => {
  const login = { email: 'thandi@example.com', password: ` ${'x'.repeat(100)} ` }

  expect(judge(loginSchema, login).values).toEqual(login)
})

const newcomer = { fullName: 'Thandi Mokoena', email: 'thandi@example.com', password: 'correct horse' }

it.each([
  [{ fullName: 'T' }, { fullName: 'Name must be at least 2 characters' }],
  [{ fullName: 'T'.repeat(101) }, { fullName: 'Name is too long' }],
  [{ email: 'nope' }, { email: 'Invalid email address' }],
  [{ password: '12345' }, { password: 'Password must be at least 6 characters' }],
  [{ password: 'x'.repeat(73) }, { password: 'Password is too long' }],
])('refuses a sign-up with %j', (change, errors) => {
  expect(judge(signUpSchema, { ...newcomer, ...change }).errors).toEqual(errors)
})

it('accepts a sign-up at its limits', () => {
  expect(judge(signUpSchema, { ...newcomer, fullName: 'Jo', password: 'x'.repeat(72) }).errors).toBeNull()
})

it('judges a new password as the sign-up judges the first', () => {
  expect(judge(newPasswordSchema, { password: '12345' }).errors).toEqual({
    password: 'Password must be at least 6 characters',
  })
  expect(judge(newPasswordSchema, { password: 'x'.repeat(73) }).errors).toEqual({
    password: 'Password is too long',
  })
})

it('judges an e-mail address on its own', () => {
  expect(judge(emailSchema, { email: ' ' }).errors).toEqual({ email: 'Email is required' })
  expect(judge(emailSchema, { email: ' thandi@example.com ' }).values).toEqual({
    email: 'thandi@example.com',
  })
})
