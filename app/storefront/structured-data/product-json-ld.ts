import type { UrlOf } from '#app/storefront/page-meta.ts'
import { productPath } from '#app/storefront/paths.ts'
import type { Product, Variant } from '#domain/catalogue.ts'
import type { ShippingTerms } from '#domain/pricing.ts'
import { shop } from '#shop'
import { breadcrumb } from './breadcrumb.ts'
import { offerOf } from './offer.ts'

interface PageContent {
  product: Product
  /** The page's colour; `null` on the product's own page. */
  variant: Variant | null
  terms: ShippingTerms
}

/** Structured data for the page of a product or one of its colours. */
export function productJsonLd(content: PageContent, urlOf: UrlOf): object[] {
  const { product, variant } = content
  const trail = [
    { name: 'Products', path: '/products' },
    { name: product.name, path: productPath(product) },
    ...(variant ? [{ name: variant.name, path: productPath(product, variant) }] : []),
  ]
  return [productGroup(content, urlOf), breadcrumb(trail, urlOf)]
}

/**
 * A product with its colours, after Google's guide for variants on separate pages: the product's page describes every colour,
 * a colour's page describes that colour and links to the others.
 */
function productGroup({ product, variant: shown, terms }: PageContent, urlOf: UrlOf): object {
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
        : variantJsonLd({ product, variant, terms }, urlOf),
    ),
  }
}

function variantJsonLd(
  { product, variant, terms }: PageContent & { variant: Variant },
  urlOf: UrlOf,
): object {
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
