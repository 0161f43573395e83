import { useInfiniteQuery } from '@tanstack/react-query'
import { backendError } from '#app/data/backend-error.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Returns, Tables } from '#database'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export type VariantStock = Pick<Tables<'product_variants'>, 'id' | 'name' | 'image_url' | 'stock_quantity'>

export type ProductStock = Pick<Tables<'products'>, 'id' | 'name'> & { product_variants: VariantStock[] }

export function useProductStock(productId: string) {
  return useBackendQuery(['products', productId, 'stock'], (backend) =>
    backend
      .from('products')
      .select('id, name, product_variants(id, name, image_url, stock_quantity)')
      .eq('id', productId)
      .order('position', { referencedTable: 'product_variants' })
      .order('id', { referencedTable: 'product_variants' })
      .single(),
  )
}

/** Units that a paid order has taken from the stock and that have not left. */
export type UnshippedUnits = Returns<'unshipped_units'>[number]

/** The unshipped units of a product's colours, the oldest order first. */
export function useUnshippedUnits(productId: string) {
  return useBackendQuery(['products', productId, 'unshipped'], (backend) =>
    backend.rpc('unshipped_units', { product_id: productId }),
  )
}

export function totalUnits(units: UnshippedUnits[]): number {
  return units.reduce((total, { quantity }) => total + quantity, 0)
}

/** A manual stock change. For `counted`, the quantity is the new stock; for the others it is the difference, always positive. */
export interface Adjustment {
  reason: Extract<MovementReason, 'counted' | 'made' | 'expo' | 'lost'>
  quantity: number
  note: string
  /** The idempotency key. The database refuses the key of another change. */
  key: string
  /** The stock when counting began. A count of another stock is refused. */
  seen: number
}

export function useAdjustStock({ id, name }: VariantStock) {
  return useToastMutation({
    mutationFn: ({ note, ...adjustment }: Adjustment) =>
      queryBackend((backend) =>
        backend.rpc('adjust_stock', { variant_id: id, note: note || null, ...adjustment }),
      ),
    success: ({ reason, quantity }) => ({ title: `${name}: ${adjustmentText({ reason, quantity })}` }),
    invalidates: ['products'],
  })
}

/** Returns the present stock from the refusal of a count that began with another one; null for other errors. */
export function stockOfRefusal(error: Error): number | null {
  const facts: { stock_quantity: number } | null = JSON.parse(
    backendError(error, 'stock_changed')?.hint ?? 'null',
  )
  return facts?.stock_quantity ?? null
}

/** The adjustment for a change by so many, or for a count when `change` is null. */
export function adjustmentFor(
  change: number | null,
  { counted, decreaseReason }: { counted: number; decreaseReason: 'expo' | 'lost' },
): Pick<Adjustment, 'reason' | 'quantity'> {
  if (change === null) return { reason: 'counted', quantity: counted }
  return change > 0 ? { reason: 'made', quantity: change } : { reason: decreaseReason, quantity: -change }
}

export function adjustmentText({ reason, quantity }: Pick<Adjustment, 'reason' | 'quantity'>): string {
  const words = REASON_LABELS[reason].toLowerCase()
  if (reason === 'counted') return `counted, ${quantity} in stock`
  return `${signedQuantity(reason === 'made' ? quantity : -quantity)} ${words}`
}

export type Movement = Returns<'stock_history'>[number]

/** The page size of `stock_history`. */
const PAGE_SIZE = 50

export function useStockHistory(productId: string, variantId: string | null) {
  return useInfiniteQuery({
    queryKey: ['products', productId, 'stock-history', variantId],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      queryBackend((backend) =>
        backend.rpc('stock_history', { product_id: productId, of_variant: variantId, before: pageParam }),
      ),
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : (page.at(-1)?.id ?? null)),
  })
}

type MovementReason = 'counted' | 'made' | 'sold' | 'returned' | 'expo' | 'lost'

export const REASON_LABELS: Record<MovementReason, string> = {
  counted: 'Counted',
  made: 'Made',
  sold: 'Sold',
  returned: 'Returned',
  expo: 'Sold at an expo',
  lost: 'Damaged or lost',
}

/** `+3`, `−2`, with a true minus sign. */
export function signedQuantity(quantity: number): string {
  if (quantity === 0) return '0'
  return quantity > 0 ? `+${quantity}` : `−${Math.abs(quantity)}`
}
