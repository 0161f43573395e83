import { queryBackend } from '#app/data/query-backend.ts'
import type { Tables } from '#database'
import type { ProductStatus } from './fields.ts'
import { useSave } from '../form/use-edit.tsx'
import { urlBatches } from '../list/load-rows.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { BadgeTone } from '#app/ui/badge.tsx'

/** `price_with_hooks` is null when the product is not sold with hooks. */
export type AdminProduct = Tables<'products'> & { product_variants: Pick<Tables<'product_variants'>, 'id'>[] }

export type ProductDetails = Pick<
  AdminProduct,
  'name' | 'description' | 'price' | 'price_with_hooks' | 'image_url' | 'category' | 'stock_quantity'
>

export function useCreateProduct() {
  return useToastMutation({
    mutationFn: (details: ProductDetails) =>
      queryBackend((backend) => backend.from('products').insert(details)),
    success: 'Product created successfully',
    invalidates: ['products'],
  })
}

export const useUpdateProduct = () =>
  useSave<Partial<ProductDetails>>('products', {
    success: 'Product updated successfully',
    // A change of stock cannot be undone (`private.can_undo`).
    isUndoable: ({ stock_quantity }) => stock_quantity === undefined,
    invalidates: ['products'],
  })

/** Returns the id of the copy, which is a draft. */
export function useDuplicateProduct() {
  return useToastMutation({
    mutationFn: (id: string) =>
      queryBackend((backend) => backend.rpc('duplicate_product', { product_id: id })),
    success: 'Copied as a draft',
    invalidates: ['products'],
  })
}

export function useSetProductStatus() {
  return useToastMutation({
    /** `seen`: the products as the user saw them. */
    mutationFn: async ({ seen, status }: { seen: AdminProduct[]; status: ProductStatus }) => {
      const skipped = await setProductStatus(seen, status)
      return { done: seen.length - skipped.length, skipped }
    },
    success: ({ status }, { done, skipped }) => ({
      title: `${done} ${done === 1 ? 'product is' : 'products are'} now ${status}`,
      ...(skipped.length > 0 && {
        tone: 'destructive',
        description: `Someone has changed these in the meantime, so they were skipped: ${skipped.map(({ name }) => name).join(', ')}`,
      }),
    }),
    invalidates: ['products'],
  })
}

type SeenProduct = Pick<AdminProduct, 'id' | 'name' | 'status' | 'publish_at'>

/** Changes the products that still have the status and launch that the user saw. Returns the others. */
export async function setProductStatus<Product extends SeenProduct>(
  seen: Product[],
  status: ProductStatus,
): Promise<Product[]> {
  // A URL that named the status and launch of each product would be longer than proxies accept.
  const states = new Map(seen.map((product) => [stateOf(product), product]))
  const changed = await Promise.all(
    [...states].flatMap(([state, { status: before, publish_at: launch }]) =>
      urlBatches(seen.filter((product) => stateOf(product) === state).map(({ id }) => id)).map((ids) =>
        queryBackend((backend) =>
          backend
            .from('products')
            .update(statusChange(status))
            .in('id', ids)
            .eq('status', before)
            .filter('publish_at', launch === null ? 'is' : 'eq', launch)
            .select('id'),
        ),
      ),
    ),
  )
  const done = new Set(changed.flat().map(({ id }) => id))
  return seen.filter(({ id }) => !done.has(id))
}

const stateOf = ({ status, publish_at }: SeenProduct) => JSON.stringify([status, publish_at])

/** Returns the columns that change with the status. A hidden product keeps no launch, which would put it on sale again. */
export function statusChange(status: ProductStatus): Partial<Pick<AdminProduct, 'status' | 'publish_at'>> {
  return status === 'live' || status === 'hidden' ? { status, publish_at: null } : { status }
}

export function useDeleteProduct() {
  return useToastMutation({
    mutationFn: (product: AdminProduct) =>
      queryBackend((backend) => backend.from('products').delete().eq('id', product.id)),
    success: 'Product deleted successfully',
    invalidates: ['products'],
  })
}

export const STATUS_BADGES: Record<ProductStatus, { label: string; tone: BadgeTone }> = {
  draft: { label: 'Draft', tone: 'warning' },
  announced: { label: 'Announced', tone: 'warning' },
  live: { label: 'Live', tone: 'success' },
  hidden: { label: 'Hidden', tone: 'neutral' },
}
