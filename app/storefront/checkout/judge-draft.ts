import { checkoutSchema } from '#domain/validation/checkout.ts'
import { judge } from '#domain/validation/schema.ts'
import type { Draft } from './draft.ts'

export const judgeDraft = (typed: Draft) => judge(checkoutSchema, typed)
