import type { UrlOf } from '#app/storefront/page-meta.ts'
import { priceCents, type Product, stockOf, type Variant } from '#domain/catalogue.ts'
import type { ShippingTerms } from '#domain/pricing.ts'
import { shop } from '#shop'

const AVAILABILITY = {
  'in-stock': 'InStock',
  'few-left': 'LimitedAvailability',
  'made-to-order': 'BackOrder',
  'sold-out': 'OutOfStock',
  // There is no word for an announced offer that cannot be ordered yet; `availabilityStarts` says from when it can.
  announced: 'OutOfStock',
} as const

interface OfferInput {
  product: Product
  variant: Variant
  terms: ShippingTerms
}

/** The offer with the lowest price, which the page shows first. */
export function offerOf(
  { product, variant, terms }: OfferInput,
  { urlOf, path }: { urlOf: UrlOf; path: string },
) {
  const { state } = stockOf(product, variant)
  const lowestCents = priceCents(product, null)
  return {
    '@type': 'Offer',
    url: urlOf(path),
    price: randText(lowestCents),
    priceCurrency: 'ZAR',
    availability: `https://schema.org/${AVAILABILITY[state]}`,
    availabilityStarts: product.launchAt ?? undefined,
    itemCondition: 'https://schema.org/NewCondition',
    seller: { '@id': urlOf('/#shop') },
    shippingDetails: shippingOf(lowestCents, { terms, isMadeToOrder: state === 'made-to-order' }),
    hasMerchantReturnPolicy: { '@id': urlOf('/shipping-returns#returns'), ...returnPolicy(urlOf) },
  }
}

function shippingOf(
  cents: number,
  { terms, isMadeToOrder }: { terms: ShippingTerms; isMadeToOrder: boolean },
) {
  const { processingDays, makingDays, deliveryDays } = shop.shipping
  const [packedFrom, packedTo] = processingDays
  const handling = isMadeToOrder ? [packedFrom + makingDays[0], packedTo + makingDays[1]] : processingDays
  return {
    '@type': 'OfferShippingDetails',
    shippingRate: {
      '@type': 'MonetaryAmount',
      value: cents >= terms.freeFromCents ? 0 : terms.flatCents / 100,
      currency: 'ZAR',
    },
    shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'ZA' },
    deliveryTime: {
      '@type': 'ShippingDeliveryTime',
      handlingTime: daysFrom(handling),
      transitTime: daysFrom(deliveryDays),
    },
  }
}

function daysFrom([minValue, maxValue]: readonly (number | undefined)[]) {
  return { '@type': 'QuantitativeValue', minValue, maxValue, unitCode: 'DAY' }
}

/** The voluntary return policy; the customer pays for the return. */
export function returnPolicy(urlOf: UrlOf) {
  return {
    '@type': 'MerchantReturnPolicy',
    applicableCountry: 'ZA',
    returnPolicyCountry: 'ZA',
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: shop.returns.policyDays,
    returnMethod: 'https://schema.org/ReturnByMail',
    returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility',
    refundType: 'https://schema.org/FullRefund',
    merchantReturnLink: urlOf('/shipping-returns#returns'),
  }
}

function randText(cents: number): string {
  return (cents / 100).toFixed(2)
}
