import { noWrap } from '#app/ui/no-wrap.tsx'
import { shop } from '#shop'

const days = (range: readonly number[]) => <>{noWrap(range.join('–'))} business days</>
const { shipping, contact, legal } = shop

/** The shop's settings, in the words its texts use. */
export const facts = {
  processing: days(shipping.processingDays),
  delivery: days(shipping.deliveryDays),
  /** What the price holds of VAT: a vendor must say so, and nobody else may. */
  vat: legal.vatNumber
    ? `Prices include VAT. Our VAT number is ${legal.vatNumber}.`
    : 'We are not registered for VAT, so no VAT is charged and none is added later.',
  address: [
    contact.address.street,
    contact.address.city,
    contact.address.province,
    contact.address.postalCode,
  ].join(', '),
}
