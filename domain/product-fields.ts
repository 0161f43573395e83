/**
 * The fields that admins edit, of a product and of its colours, by column. The product's page, the catalogue file, labels in conflicts
 * and in the history, error messages and the shop's specifications derive from them. `private.product_fields()` lists the same columns.
 */
export interface ProductField {
  label: string
  /** `slug` and `list` are not columns of the catalogue file, which writes a `time` as `2026-11-24 19:00`. */
  kind: 'line' | 'text' | 'number' | 'money' | 'yes-no' | 'choice' | 'slug' | 'time' | 'list'
  unit?: string
  hint?: string
  maxLength?: number
  /** An empty line is stored as null. */
  isOptional?: true
  /** A row of the shop's table of specifications. */
  isSpec?: true
  /** Headers of its column in older catalogue files. */
  formerHeaders?: readonly string[]
  /** What to tell the admin when a constraint of the table rejects the value. */
  constraints?: Readonly<Record<string, string>>
}

export const PRODUCT_FIELDS = {
  name: {
    label: 'Product Name',
    kind: 'line',
    maxLength: 120,
    formerHeaders: ['Lure'],
    constraints: {
      malformed_name: 'The name must be one line of 1 to 120 characters.',
      name_taken: 'Another product has this name.',
    },
  },
  price: {
    label: 'Price without hooks',
    kind: 'money',
    constraints: { impossible_price: 'The price must be between R0 and R1 000 000.' },
  },
  price_with_hooks: {
    label: 'Price with hooks',
    kind: 'money',
    constraints: { impossible_price_with_hooks: 'The price with hooks must be between R0 and R1 000 000.' },
  },
  status: {
    label: 'Status',
    kind: 'choice',
    constraints: { announced_without_launch: 'An announced product needs a launch time.' },
  },
  category: {
    label: 'Category',
    kind: 'line',
    isOptional: true,
    maxLength: 60,
    constraints: { malformed_category: 'The category must be one line of at most 60 characters.' },
  },
  slug: {
    label: 'Address',
    kind: 'slug',
    hint: 'Last part of the page’s web address. The old one redirects.',
    maxLength: 120,
    constraints: {
      // A new product's address is made from its name.
      malformed_slug: 'The name needs at least one letter or digit, because the web address is made from it.',
      slug_taken: 'Another product has this web address.',
    },
  },
  model: {
    label: 'Model',
    kind: 'line',
    isOptional: true,
    isSpec: true,
    maxLength: 60,
    constraints: { malformed_model: 'The model must be one line of at most 60 characters.' },
  },
  length_mm: {
    label: 'Length',
    kind: 'number',
    unit: 'mm',
    isSpec: true,
    constraints: { impossible_length: 'The length must be between 1 and 2000 mm.' },
  },
  weight_grams: {
    label: 'Weight',
    kind: 'number',
    unit: 'g',
    isSpec: true,
    constraints: { impossible_weight: 'The weight must be between 1 and 20 000 g.' },
  },
  hook_size: {
    label: 'Recommended hook',
    kind: 'line',
    isOptional: true,
    isSpec: true,
    maxLength: 40,
    constraints: { malformed_hook_size: 'The recommended hook must be one line of at most 40 characters.' },
  },
  low_stock_threshold: {
    label: 'Low-stock threshold',
    kind: 'number',
    hint: 'Alert at this many or fewer; leave empty for the shop’s threshold.',
    formerHeaders: ['Low-stock level', 'Low from'],
  },
  description: {
    label: 'Description',
    kind: 'text',
    maxLength: 5000,
    constraints: { description_too_long: 'The description can have at most 5000 characters.' },
  },
  made_to_order: { label: 'Made to order', kind: 'yes-no', hint: 'can be ordered when out of stock.' },
  specs: {
    label: 'Specs',
    kind: 'list',
    constraints: { specs_not_a_list: 'The specs must be a list of labels and values.' },
  },
  images: {
    label: 'Pictures',
    kind: 'list',
    constraints: {
      malformed_images: 'Each picture needs a valid address and a description of at most 300 characters.',
      images_not_a_list: 'The pictures must be a list.',
    },
  },
  publish_at: {
    label: 'Launch',
    kind: 'time',
    hint: 'South African time. The product goes on sale by itself at this minute.',
    constraints: { live_product_with_publish_time: 'A product that is already live cannot have a launch.' },
  },
  shows_stock: {
    label: 'Show remaining stock',
    kind: 'yes-no',
    hint: 'the shop says “12 left” instead of “In stock”, for a limited run.',
  },
} satisfies Record<string, ProductField>

export const VARIANT_FIELDS = {
  name: { label: 'Colour', kind: 'line' },
  sku: { label: 'SKU', kind: 'line', isOptional: true },
  stock_quantity: { label: 'Stock', kind: 'number' },
  image_url: { label: 'Picture', kind: 'line', isOptional: true },
  image_alt: {
    label: 'Picture description',
    kind: 'line',
    isOptional: true,
    maxLength: 300,
    formerHeaders: ['Picture shows'],
  },
} satisfies Record<string, ProductField>

type Fields = Readonly<Partial<Record<string, ProductField>>>

/** The fields of both tables for callers that have a column of any name. */
export const FIELDS_OF: Readonly<Partial<Record<string, Fields>>> = {
  products: PRODUCT_FIELDS,
  product_variants: VARIANT_FIELDS,
}

/** `Length (mm)` */
export function fieldLabel({ label, unit }: ProductField): string {
  return unit ? `${label} (${unit})` : label
}
