import type { useForm } from '#app/storefront/form/use-form.ts'
import type { Draft } from './draft.ts'

/** The checkout's form, handed to each part of the page. */
export type CheckoutFields = ReturnType<typeof useForm<Draft>>

/** Controls outside the form element belong to it by this id. */
export const FORM_ID = 'checkout-form'
