import type { VariantTableColumn } from './paste.ts'

export const COLUMN_LABELS: Record<VariantTableColumn, string> = {
  name: 'Colour',
  sku: 'SKU',
  stock_quantity: 'Stock',
  price: 'Without hooks (R)',
  price_with_hooks: 'With hooks (R)',
}

const NAMES: Record<string, string> = {
  ...COLUMN_LABELS,
  name: 'Name',
  price: 'Price without hooks',
  price_with_hooks: 'Price with hooks',
  slug: 'Address',
  description: 'Description',
  category: 'Category',
  model: 'Model',
  length_mm: 'Length',
  weight_grams: 'Weight',
  hook_size: 'Hook size',
  specs: 'Specs',
  images: 'Pictures',
  made_to_order: 'Made to order',
  status: 'Status',
  publish_at: 'Publishing time',
  low_stock_threshold: 'Low-stock threshold',
  image_url: 'Picture',
  image_alt: 'Picture description',
}

/** The column's name in a sentence. */
export function columnName(column: string): string {
  return NAMES[column] ?? column
}
