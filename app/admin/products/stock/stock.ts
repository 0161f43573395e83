import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/session/query-backend.ts'
import type { Returns, Tables } from '#database'
import { useChange } from '../../list/use-change.ts'
import { REASON_LABELS, signedQuantity, type MovementReason } from './movement-reasons.ts'

/** A colour as it lies on the shelf. */
export type VariantStock = Pick<Tables<'product_variants'>, 'id' | 'name' | 'image_url' | 'stock_quantity'>

export type ProductStock = Pick<Tables<'products'>, 'id' | 'name'> & { product_variants: VariantStock[] }

export function useProductStock(productId: string) {
  return useQuery({
    queryKey: ['products', productId, 'shelf'],
    queryFn: () =>
      queryBackend((backend) =>
        backend
          .from('products')
          .select('id, name, product_variants(id, name, image_url, stock_quantity)')
          .eq('id', productId)
          .order('position', { referencedTable: 'product_variants' })
          .single(),
      ),
  })
}

/** What is done to the shelf by hand. `counted` says how many there are, the others how many came or went. */
export interface Adjustment {
  reason: Extract<MovementReason, 'counted' | 'made' | 'expo' | 'lost'>
  quantity: number
  note: string
  /** Names this press of the button: sent twice, it happens once. */
  key: string
}

export function useAdjustStock({ id, name }: VariantStock) {
  return useChange({
    change: ({ reason, quantity, note, key }: Adjustment) =>
      queryBackend((backend) =>
        backend.rpc('adjust_stock', { variant_id: id, reason, quantity, note: note || null, key }),
      ),
    done: ({ reason, quantity }) => ({ title: `${name}: ${adjustmentText({ reason, quantity })}` }),
    refreshes: ['products'],
  })
}

function adjustmentText({ reason, quantity }: Pick<Adjustment, 'reason' | 'quantity'>): string {
  const words = REASON_LABELS[reason].toLowerCase()
  if (reason === 'counted') return `counted, ${quantity} on the shelf`
  return `${signedQuantity(reason === 'made' ? quantity : -quantity)} ${words}`
}

export type Movement = Returns<'stock_history'>[number]

/** As many as `stock_history` gives at a time. */
const MOVEMENTS_AT_A_TIME = 50

export function useStockHistory(productId: string, variantId: string | null) {
  return useInfiniteQuery({
    queryKey: ['products', productId, 'stock-history', variantId],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      queryBackend((backend) =>
        backend.rpc('stock_history', { product_id: productId, of_variant: variantId, before: pageParam }),
      ),
    getNextPageParam: (page) => (page.length < MOVEMENTS_AT_A_TIME ? null : (page.at(-1)?.id ?? null)),
  })
}
