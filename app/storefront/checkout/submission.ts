import { checkoutSchema } from '#domain/validation/checkout.ts'
import { validate } from '#domain/validation/schema.ts'
import type { Draft } from './draft.ts'

export { goToPayment, preparePayment } from '#app/storefront/order/payment.ts'
export { isSameOrder, unsettledAttempt } from './attempt.ts'
export { placeOrder, sendAttempt, saveAddress } from './place-order.ts'

/** What the checkout needs from the first focus on: it is loaded after the first view. */
export const validateDraft = (typed: Draft) => validate(checkoutSchema, typed)
