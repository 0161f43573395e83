import { queryBackend, callBackend } from '#app/session/query-backend.ts'
import type { Tables } from '#database'
import type { ProductStatus } from './edit/record.ts'
import { saveUnlessChanged, type Versioned } from '../list/save-unless-changed.ts'
import type { Selection } from '../list/selection.ts'
import { useToastMutation } from '../list/use-toast-mutation.ts'

/** `price_with_hooks` is null when the product is not sold with hooks. */
export type Product = Tables<'products'> & { product_variants: Pick<Tables<'product_variants'>, 'id'>[] }

export type ProductDetails = Pick<
  Product,
  'name' | 'description' | 'price' | 'price_with_hooks' | 'image_url' | 'category' | 'stock_quantity'
>

export function useCreateProduct() {
  return useToastMutation({
    change: (details: ProductDetails) => callBackend((backend) => backend.from('products').insert(details)),
    done: 'Product created successfully',
    refreshes: ['products'],
  })
}

export function useUpdateProduct(id: string) {
  return useToastMutation({
    change: ({ details, seen }: { details: Partial<ProductDetails>; seen: Versioned }) =>
      saveUnlessChanged({ table: 'products', seen, values: details }),
    done: 'Product updated successfully',
    undoes: () => ({ table: 'products', id }),
    refreshes: ['products'],
  })
}

/** Returns the id of the copy, which is a draft. */
export function useDuplicateProduct() {
  return useToastMutation({
    change: (id: string) => queryBackend((backend) => backend.rpc('duplicate_product', { product_id: id })),
    done: 'Copied as a draft',
    refreshes: ['products'],
  })
}

export function useSetProductStatus() {
  return useToastMutation({
    change: async ({ selection, status }: { selection: Selection<Product>; status: ProductStatus }) => {
      const ids = (await selection.rows()).map(({ id }) => id)
      await callBackend((backend) => backend.from('products').update({ status }).in('id', ids))
    },
    done: ({ selection: { count }, status }) => ({
      title: `${count} ${count === 1 ? 'product is' : 'products are'} now ${status}`,
    }),
    refreshes: ['products'],
  })
}

export function useDeleteProduct() {
  return useToastMutation({
    change: (product: Product) =>
      callBackend((backend) => backend.from('products').delete().eq('id', product.id)),
    done: 'Product deleted successfully',
    refreshes: ['products'],
  })
}
