import type { UrlOf } from '#app/storefront/page-meta.ts'
import { shop } from '#shop'
import logo from '../../../assets/logo/icon-512.png?url&no-inline'
import { returnPolicy } from './offer.ts'

/** Structured data about the shop and its site, for the home page. */
export function shopJsonLd(urlOf: UrlOf): object[] {
  const { contact, legal } = shop
  const { address } = contact
  return [
    {
      '@type': 'OnlineStore',
      '@id': urlOf('/#shop'),
      name: shop.name,
      legalName: legal.name,
      description: shop.description,
      url: urlOf('/'),
      logo: urlOf(logo),
      email: contact.email,
      telephone: contact.phone,
      vatID: legal.vatNumber ?? undefined,
      address: {
        '@type': 'PostalAddress',
        streetAddress: address.street,
        addressLocality: address.city,
        addressRegion: address.province,
        postalCode: address.postalCode,
        addressCountry: 'ZA',
      },
      contactPoint: {
        '@type': 'ContactPoint',
        contactType: 'customer service',
        telephone: contact.phone,
        email: contact.email,
        areaServed: 'ZA',
      },
      hasMerchantReturnPolicy: returnPolicy(urlOf),
    },
    {
      '@type': 'WebSite',
      '@id': urlOf('/#site'),
      name: shop.name,
      url: urlOf('/'),
      inLanguage: shop.locale,
      publisher: { '@id': urlOf('/#shop') },
    },
  ]
}
