import type { Tables } from '#database'
import type { CartLine } from '#domain/cart.ts'
import { centsFromRand, parseRand } from '#domain/money.ts'
import { MAX_QUANTITY } from '#domain/quantity.ts'

/** A cart line as the table and the guest cart store it. */
export type StoredLine = Pick<
  Tables<'cart_items'>,
  'id' | 'product_name' | 'product_variant' | 'price' | 'quantity' | 'with_hooks' | 'image_url' | 'created_at'
>

export const LINE_COLUMNS =
  'id, product_name, product_variant, price, quantity, with_hooks, image_url, created_at'

export function lineFrom(stored: StoredLine): CartLine {
  return {
    id: stored.id,
    productName: stored.product_name,
    productVariant: stored.product_variant,
    priceCents: centsFromRand(stored.price),
    quantity: stored.quantity,
    withHooks: stored.with_hooks,
    imageUrl: stored.image_url,
    createdAt: stored.created_at,
  }
}

export function storedFrom(line: CartLine): StoredLine & { user_id: null } {
  return {
    id: line.id,
    user_id: null,
    product_name: line.productName,
    product_variant: line.productVariant,
    price: line.priceCents / 100,
    quantity: line.quantity,
    with_hooks: line.withHooks,
    image_url: line.imageUrl,
    created_at: line.createdAt,
  }
}

/** Validates a value from the browser's storage, which users can edit. */
export function isStoredLine(value: unknown): value is StoredLine {
  if (typeof value !== 'object' || value === null) return false
  const line: Partial<Record<keyof StoredLine, unknown>> = value
  return (
    isText(line.id) &&
    isText(line.product_name) &&
    isText(line.product_variant) &&
    typeof line.price === 'number' &&
    (parseRand(line.price) ?? -1) >= 0 &&
    typeof line.quantity === 'number' &&
    Number.isInteger(line.quantity) &&
    line.quantity >= 1 &&
    line.quantity <= MAX_QUANTITY &&
    typeof line.with_hooks === 'boolean' &&
    (line.image_url === null || isImagePath(line.image_url)) &&
    typeof line.created_at === 'string'
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 300
}

function isImagePath(value: unknown): boolean {
  return typeof value === 'string' && /^(?:https?:\/\/|\/)[^\s"<>\\]*$/.test(value)
}
