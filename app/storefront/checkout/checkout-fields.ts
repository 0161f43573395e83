import type { useForm } from '#app/ui/form/use-form.ts'
import type { Draft } from './draft.ts'

export type CheckoutFields = ReturnType<typeof useForm<Draft>>

/** Associates controls outside the form element with it. */
export const FORM_ID = 'checkout-form'
