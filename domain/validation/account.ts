import { emailAddress, textBetween, z } from './schema.ts'

const PASSWORD_TOO_SHORT = 'Password must be at least 6 characters'

const chosenPassword = z
  .string()
  .check(z.minLength(6, PASSWORD_TOO_SHORT), z.maxLength(72, 'Password is too long'))

/** Aborts on an empty field, so that it shows one message and not two. */
const email = z.string().check(z.trim(), z.minLength(1, { error: 'Email is required', abort: true }))
const requiredEmail = z.pipe(email, emailAddress())

export const loginSchema = z.object({
  email: requiredEmail,
  password: z.string().check(z.minLength(6, PASSWORD_TOO_SHORT)),
})

export const signUpSchema = z.object({
  fullName: textBetween([2, 'Name must be at least 2 characters'], [100, 'Name is too long']),
  email: requiredEmail,
  password: chosenPassword,
})

export const newPasswordSchema = z.object({ password: chosenPassword })
export const emailSchema = z.object({ email: requiredEmail })

export type SignUp = z.infer<typeof signUpSchema>
