import { noWrap } from '#app/ui/no-wrap.tsx'
import { shop } from '#shop'

const days = (range: readonly number[]) => <>{noWrap(range.join('–'))} business days</>
const { shipping, contact, legal } = shop
const making = days(shipping.makingDays)

/** Values of the shop's configuration as page texts show them. */
export const facts = {
  processing: days(shipping.processingDays),
  making,
  madeToOrder: <>A lure made to order takes {making} before we pack it.</>,
  delivery: days(shipping.deliveryDays),
  /** A VAT vendor must state that prices include VAT; others must not. */
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
