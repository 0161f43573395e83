import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import type { ProductCells, VariantCells } from '../fields.ts'

export type ProductRecord = ProductCells &
  Pick<Tables<'products'>, 'id' | 'image_url' | 'stock_quantity'> & {
    product_variants: (VariantCells & Pick<Tables<'product_variants'>, 'id'>)[]
  }

export function useProductRecord(id: string) {
  return useBackendQuery(['products', id], (backend) =>
    backend
      .from('products')
      .select('*, product_variants(*)')
      .eq('id', id)
      .order('position', { referencedTable: 'product_variants' })
      .order('id', { referencedTable: 'product_variants' })
      .maybeSingle(),
  )
}
