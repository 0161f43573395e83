import type { UrlOf } from '#app/storefront/page-meta.ts'
import { productPath } from '#app/storefront/paths.ts'
import type { Product, Variant } from '#domain/catalogue.ts'
import type { ShippingTerms } from '#domain/pricing.ts'
import { shop } from '#shop'
import { breadcrumb } from './breadcrumb.ts'
import { offerOf } from './offer.ts'

export interface Shown {
  product: Product
  /** The colour the page is about; `null` on the page of the lure itself. */
  variant: Variant | null
  terms: ShippingTerms
}

/** The page of a lure or of one of its colours. */
export function productJsonLd(shown: Shown, urlOf: UrlOf): object[] {
  const { product, variant } = shown
  const way = [
    { name: 'Products', path: '/products' },
    { name: product.name, path: productPath(product) },
    ...(variant ? [{ name: variant.name, path: productPath(product, variant) }] : []),
  ]
  return [productGroup(shown, urlOf), breadcrumb(way, urlOf)]
}

/**
 * A lure with its colours, as Google's product variant guide wants it where each has an address of its own: the page of a
 * lure tells all of every colour, the page of a colour all of its own and where the others are.
 */
function productGroup({ product, variant: shown, terms }: Shown, urlOf: UrlOf): object {
  const url = urlOf(productPath(product))
  return {
    '@type': 'ProductGroup',
    '@id': `${url}#lure`,
    name: product.name,
    description: product.description,
    url,
    image: product.picture
      ? [product.picture, ...product.morePictures].map((picture) => urlOf(picture.url))
      : undefined,
    brand: { '@type': 'Brand', name: shop.name },
    category: product.category ?? undefined,
    productGroupID: product.slug,
    variesBy: ['https://schema.org/color'],
    additionalProperty: product.specs.map(({ label, value }) => ({
      '@type': 'PropertyValue',
      name: label,
      value,
    })),
    hasVariant: product.variants.map((variant) =>
      shown && shown.id !== variant.id
        ? { '@type': 'Product', url: urlOf(productPath(product, variant)) }
        : wholeVariant({ product, variant, terms }, urlOf),
    ),
  }
}

function wholeVariant({ product, variant, terms }: Shown & { variant: Variant }, urlOf: UrlOf): object {
  const path = productPath(product, variant)
  const picture = variant.picture ?? product.picture
  return {
    '@type': 'Product',
    '@id': urlOf(path),
    name: `${product.name} in ${variant.name}`,
    description: product.description,
    url: urlOf(path),
    image: picture ? [urlOf(picture.url)] : undefined,
    sku: variant.sku ?? undefined,
    color: variant.name,
    brand: { '@type': 'Brand', name: shop.name },
    isVariantOf: { '@id': `${urlOf(productPath(product))}#lure` },
    offers: offerOf({ product, variant, terms }, { urlOf, path }),
  }
}
