import { lineKey, type CartLine, type LineIdentity } from './cart.ts'
import { centsFromRand, parseRand } from './money.ts'
import { MAX_QUANTITY } from './quantity.ts'

/** A cart line as the table `cart_items` and the browser's storage contain it. */
export interface StoredLine {
  id: string
  /** Like `variant_id` missing in lines of an earlier release. The table has only `variant_id`, null once the variant was deleted. */
  product_id?: string
  variant_id?: string | null
  product_name: string
  product_variant: string
  /** Rand. */
  price: number
  quantity: number
  with_hooks: boolean
  image_url: string | null
  created_at: string
}

export function identityFrom(
  stored: Pick<StoredLine, 'variant_id' | 'product_name' | 'product_variant' | 'with_hooks'>,
): LineIdentity {
  return {
    productName: stored.product_name,
    productVariant: stored.product_variant,
    withHooks: stored.with_hooks,
    variantId: stored.variant_id ?? undefined,
  }
}

export function lineFrom(stored: StoredLine): CartLine {
  return {
    ...identityFrom(stored),
    id: stored.id,
    productId: stored.product_id,
    priceCents: centsFromRand(stored.price),
    quantity: stored.quantity,
    imageUrl: stored.image_url,
    createdAt: stored.created_at,
  }
}

export function storedFrom(line: CartLine): StoredLine & { user_id: null } {
  return {
    id: line.id,
    user_id: null,
    product_id: line.productId,
    variant_id: line.variantId,
    product_name: line.productName,
    product_variant: line.productVariant,
    price: line.priceCents / 100,
    quantity: line.quantity,
    with_hooks: line.withHooks,
    image_url: line.imageUrl,
    created_at: line.createdAt,
  }
}

/** Returns the valid lines of a value from the browser's storage, which users can edit: newest first, each line once. */
export function validLines(stored: unknown): CartLine[] {
  const lines = new Map<string, CartLine>()
  for (const line of Array.isArray(stored)
    ? stored.filter(isStoredLine).map(withValidIds).map(lineFrom)
    : []) {
    if (!lines.has(lineKey(line))) lines.set(lineKey(line), line)
  }
  return [...lines.values()].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
}

function isStoredLine(value: unknown): value is StoredLine {
  if (typeof value !== 'object' || value === null) return false
  const line: Partial<Record<keyof StoredLine, unknown>> = value
  return (
    isText(line.id) &&
    isText(line.product_name) &&
    isText(line.product_variant) &&
    typeof line.price === 'number' &&
    (parseRand(line.price) ?? -1) >= 0 &&
    isQuantity(line.quantity) &&
    typeof line.with_hooks === 'boolean' &&
    (line.image_url === null || isImagePath(line.image_url)) &&
    typeof line.created_at === 'string'
  )
}

/** Without its ids a line is still found by its names. */
function withValidIds({ product_id, variant_id, ...line }: StoredLine): StoredLine {
  return {
    ...line,
    ...(isUuid(product_id) && { product_id }),
    ...(isUuid(variant_id) && { variant_id }),
  }
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= 300
}

function isQuantity(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_QUANTITY
}

function isImagePath(value: unknown): boolean {
  return typeof value === 'string' && /^(?:https?:\/\/|\/)[^\s"<>\\]*$/.test(value)
}
