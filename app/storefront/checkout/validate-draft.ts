import { checkoutSchema } from '#domain/validation/checkout.ts'
import { validate } from '#domain/validation/schema.ts'
import type { Draft } from './draft.ts'

export const validateDraft = (typed: Draft) => validate(checkoutSchema, typed)
