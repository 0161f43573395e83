import type { Tables } from '#database'
import type { PRODUCT_FIELDS, ProductField, VARIANT_FIELDS } from '#domain/product-fields.ts'
import { parseNumber } from './edit/parse-number.ts'

/** The columns that the product's page edits. */
export type ProductCells = Pick<Tables<'products'>, keyof typeof PRODUCT_FIELDS>

/** The columns of a colour that the product's page edits. */
export type VariantCells = Pick<Tables<'product_variants'>, keyof typeof VARIANT_FIELDS>

export type ProductStatus = Tables<'products'>['status']

/** Replaces line breaks and tabs with spaces, because `private.is_line()` rejects control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

/** Parses what a person typed. Text that does not fit is returned unchanged: the database rejects it with a message for its cell. */
export function parseValue(
  { kind, isOptional }: ProductField,
  text: string,
): string | number | boolean | null {
  if (kind === 'number' || kind === 'money') return parseNumber(text)
  if (kind === 'yes-no')
    return /^(yes|ja|true|1|x)$/i.test(text) ? true : /^(no|nee|false|0|)$/i.test(text) ? false : text
  if (kind === 'text') return text
  const line = oneLine(text).trim()
  return isOptional && line === '' ? null : line
}
