import { AuthError, invalidInput } from '../errors.ts'

const MAX_LENGTH = 72

/** Counts UTF-16 units, as `minlength` in browsers does. Throws `weak_password` or `validation_failed`. */
export function requireGoodPassword(password: string, minLength: number): void {
  if (password.length > MAX_LENGTH) {
    throw new AuthError('validation_failed', `Password cannot be longer than ${MAX_LENGTH} characters`, {
      status: 422,
    })
  }
  if (password === '') throw invalidInput('Signup requires a valid password')
  if (password.length < minLength) {
    throw new AuthError('weak_password', `Password should be at least ${minLength} characters.`, {
      detail: { weak_password: { reasons: ['length'] } },
    })
  }
}
