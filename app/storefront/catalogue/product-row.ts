import type { Product } from '#domain/catalogue.ts'
import { centsFromRand } from '#domain/money.ts'
import { z } from '#domain/validation/schema.ts'

// oxlint-disable promise/valid-params -- z.catch() is not a promise method.
export const productRow = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.nullable(z.string()),
  price: z.number(),
  price_with_hooks: z.nullable(z.number()),
  image_url: z.nullable(z.string()),
  images: z.catch(z.array(z.object({ url: z.string(), alt: z.catch(z.string(), '') })), []),
  model: z.nullable(z.string()),
  length_mm: z.nullable(z.number()),
  weight_grams: z.nullable(z.number()),
  hook_size: z.nullable(z.string()),
  specs: z.catch(z.array(z.object({ label: z.string(), value: z.string() })), []),
  made_to_order: z.boolean(),
  product_variants: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      sku: z.nullable(z.string()),
      image_url: z.nullable(z.string()),
      image_alt: z.nullable(z.string()),
      position: z.number(),
    }),
  ),
})

// oxlint-enable promise/valid-params

type ProductRow = z.infer<typeof productRow>

export const PRODUCT_COLUMNS = [
  'id, slug, name, description, category, price, price_with_hooks, image_url, images',
  'model, length_mm, weight_grams, hook_size, specs, made_to_order',
  'product_variants(id, slug, name, sku, image_url, image_alt, position)',
].join(', ')

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
      .toSorted((one, other) => one.position - other.position)
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
    model: row.model || null,
    lengthMm: row.length_mm,
    weightGrams: row.weight_grams,
    hookSize: row.hook_size || null,
    specs: row.specs,
    isMadeToOrder: row.made_to_order,
  }
}
