import { expect, it } from 'vitest'
import { authErrorCode, authRefusal, backendError } from './backend-error.ts'
import { errorSentence } from './error-sentence.ts'
import { functionErrorMessage } from './function-error-message.ts'

/** An error of the sign-in service, as the client throws it. */
const refused = (code: string) => Object.assign(new Error('developers only'), { code, status: 422 })
const wrapped = (cause: unknown) => new Error('for the reader', { cause })

it('shows the prepared message for a refusal of the sign-in service', async () => {
  const messages = { same_password: 'This is your present password.' }

  expect(await authRefusal(Promise.resolve(), messages)).toBeNull()
  expect(await authRefusal(Promise.reject(wrapped(refused('same_password'))), messages)).toBe(
    'This is your present password.',
  )
})

it('throws a refusal of the sign-in service that has no prepared message', async () => {
  const error = wrapped(refused('unexpected_failure'))

  await expect(authRefusal(Promise.reject(error), { same_password: '' })).rejects.toBe(error)
  await expect(authRefusal(Promise.reject(new TypeError('bug')), {})).rejects.toThrow('bug')
})

it('takes no database error for a refusal of the sign-in service', () => {
  const database = { code: '23505', message: '', details: 'code_taken', hint: null }

  expect(authErrorCode(wrapped(refused('same_password')))).toBe('same_password')
  expect(authErrorCode(wrapped(database))).toBeNull()
  expect(authErrorCode(wrapped(Object.assign(new Error('no'), { code: 'x' })))).toBeNull()
})

it('finds a database error by its codes', () => {
  const error = wrapped({ code: 'P0001', message: '', details: 'photo_already_sent', hint: null })

  expect(backendError(error)?.code).toBe('P0001')
  expect(backendError(error, 'unknown_photo', 'photo_already_sent')).not.toBeNull()
  expect(backendError(error, 'unknown_photo')).toBeNull()
  expect(backendError(new Error('no cause'))).toBeNull()
})

const functionError = (response: Response) => Object.assign(new Error('failed'), { context: response })

it('shows the message of a server function that refused', async () => {
  const response = Response.json({ message: 'This order is paid.' }, { status: 409 })

  expect(await functionErrorMessage(functionError(response))).toBe('This order is paid.')
})

it.each([
  ['a failure of the server', Response.json({ message: 'stack trace' }, { status: 500 })],
  ['a page of a proxy', new Response('<html>', { status: 403 })],
  ['a refusal without a message', Response.json({}, { status: 400 })],
])('shows no message of %s', async (_case, response) => {
  expect(await functionErrorMessage(functionError(response))).toBeNull()
})

it.each([
  ['42501', 'permission denied for table orders', 'Your role does not allow this.'],
  ['42501', 'Only admins may do this.', 'Only admins may do this.'],
  ['22001', 'value too long for type character varying(20)', 'One of these texts is too long.'],
  ['23502', 'null value in column "name" violates not-null constraint', 'A required field is empty.'],
  [
    '40001',
    'could not serialize access',
    'The same record was changed at the same moment. Please try again.',
  ],
  ['P0001', 'This order is paid already.', 'This order is paid already.'],
  ['PGRST301', 'JWT cryptographic operation failed', 'Your session has ended. Please sign in again.'],
  ['PGRST303', 'JWT expired', 'Your session has ended. Please sign in again.'],
])('tells the reader about the database’s error %s: %s', async (code, message, sentence) => {
  expect(await errorSentence({ code, message })).toBe(sentence)
})

it('tells the reader what a server function said, and leaves its response readable', async () => {
  const context = Response.json({ message: 'Too many messages.' }, { status: 429 })

  expect(await errorSentence({ message: 'non-2xx', context })).toBe('Too many messages.')
  expect(await context.json()).toEqual({ message: 'Too many messages.' })
  expect(await errorSentence({ message: 'non-2xx', context: new Response('<html>') })).toBe('non-2xx')
})

it('asks for a new sign-in when a server function refuses the token', async () => {
  const body = { code: 'UNAUTHORIZED_INVALID_JWT', message: 'Invalid JWT' }
  const error = functionError(Response.json(body, { status: 401 }))

  expect(await errorSentence(error)).toBe('Your session has ended. Please sign in again.')
  expect(await functionErrorMessage(error)).toBe('Your session has ended. Please sign in again.')
})
