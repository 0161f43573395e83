import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { Tables } from '#database'

export type ProductStatus = Tables<'products'>['status']

/** The columns that the product's page edits. */
export type ProductCells = Pick<
  Tables<'products'>,
  | 'name'
  | 'slug'
  | 'description'
  | 'category'
  | 'price'
  | 'price_with_hooks'
  | 'model'
  | 'length_mm'
  | 'weight_grams'
  | 'hook_size'
  | 'specs'
  | 'images'
  | 'made_to_order'
  | 'status'
  | 'publish_at'
  | 'low_stock_threshold'
>

/** The columns of a colour that the product's page edits. */
export type VariantCells = Pick<
  Tables<'product_variants'>,
  'name' | 'sku' | 'stock_quantity' | 'image_url' | 'image_alt'
>

type VariantRecord = VariantCells & Pick<Tables<'product_variants'>, 'id'>

export type ProductRecord = ProductCells &
  Pick<Tables<'products'>, 'id' | 'image_url' | 'stock_quantity'> & { product_variants: VariantRecord[] }

const COLUMNS = `id, name, slug, description, category, price, price_with_hooks, model, length_mm, weight_grams, hook_size,
  specs, images, made_to_order, status, publish_at, low_stock_threshold, image_url, stock_quantity,
  product_variants(id, name, sku, stock_quantity, image_url, image_alt)`

export function useProductRecord(id: string) {
  return useQuery({
    queryKey: ['products', id],
    queryFn: () =>
      queryBackend((backend) =>
        backend
          .from('products')
          .select(COLUMNS)
          .eq('id', id)
          .order('position', { referencedTable: 'product_variants' })
          .maybeSingle(),
      ),
  })
}
