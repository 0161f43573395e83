import type { Product, Spec } from '#domain/catalogue.ts'
import { centsFromRand } from '#domain/money.ts'
import { PRODUCT_FIELDS, type ProductField } from '#domain/product-fields.ts'
import { z } from '#domain/validation/schema.ts'

const SPEC_FIELDS = Object.entries<ProductField>(PRODUCT_FIELDS).filter(([, { isSpec }]) => isSpec)

// oxlint-disable promise/valid-params -- z.catch() is not a promise method.
const variantRow = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  sku: z.nullable(z.string()),
  image_url: z.nullable(z.string()),
  image_alt: z.nullable(z.string()),
  position: z.number(),
})

export const productRow = z.object({
  ...Object.fromEntries(SPEC_FIELDS.map(([column]) => [column, z.unknown()] as const)),
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.nullable(z.string()),
  price: z.number(),
  price_with_hooks: z.nullable(z.number()),
  image_url: z.nullable(z.string()),
  images: z.catch(z.array(z.object({ url: z.string(), alt: z.catch(z.string(), '') })), []),
  length_mm: z.nullable(z.number()),
  weight_grams: z.nullable(z.number()),
  hook_size: z.nullable(z.string()),
  specs: z.catch(z.array(z.object({ label: z.string(), value: z.string() })), []),
  made_to_order: z.boolean(),
  status: z.string(),
  publish_at: z.nullable(z.string()),
  shows_stock: z.boolean(),
  product_variants: z.array(variantRow),
})

// oxlint-enable promise/valid-params

type ProductRow = z.infer<typeof productRow>

const { product_variants: _variants, ...columns } = productRow.shape

export const PRODUCT_COLUMNS = [
  ...Object.keys(columns),
  `product_variants(${Object.keys(variantRow.shape).join(',')})`,
].join(',')

/** Replaces the space between a number and its unit with a non-breaking one. */
function keepUnitsTogether(text: string): string {
  return text.replace(/(\d) (?=(?:mm|cm|m|g|kg)\b)/g, '$1\u00a0')
}

/** `available` maps variant ids to the quantity in stock. */
export function productFrom(row: ProductRow, available: Map<string, number>): Product {
  const [main = row.image_url ? { url: row.image_url, alt: row.name } : null, ...more] = row.images
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: keepUnitsTogether(row.description),
    category: row.category || null,
    priceCents: centsFromRand(row.price),
    priceWithHooksCents: row.price_with_hooks === null ? null : centsFromRand(row.price_with_hooks),
    picture: main,
    morePictures: more,
    variants: row.product_variants
      .toSorted((one, other) => one.position - other.position || one.id.localeCompare(other.id))
      .map((variant) => ({
        id: variant.id,
        slug: variant.slug,
        name: variant.name,
        sku: variant.sku,
        picture: variant.image_url
          ? { url: variant.image_url, alt: variant.image_alt || `${row.name} in ${variant.name}` }
          : null,
        available: available.get(variant.id) ?? 0,
      })),
    lengthMm: row.length_mm,
    weightGrams: row.weight_grams,
    hookSize: row.hook_size || null,
    standardSpecs: standardSpecs(row),
    specs: row.specs,
    isMadeToOrder: row.made_to_order,
    launchAt: row.status === 'announced' ? row.publish_at : null,
    showsStock: row.shows_stock,
  }
}

function standardSpecs(row: Record<string, unknown>): Spec[] {
  return SPEC_FIELDS.flatMap(([column, { label, unit }]) => {
    const value = row[column]
    if (!value || (typeof value !== 'string' && typeof value !== 'number')) return []
    return [{ label, value: unit ? `${value} ${unit}` : String(value) }]
  })
}
