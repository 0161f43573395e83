import { useQuery } from '@tanstack/react-query'
import type { LurePicture, Spec } from '#domain/catalogue.ts'
import { askBackend } from '#app/session/ask-backend.ts'

export type ProductStatus = 'draft' | 'live' | 'hidden'

/** What of a product its page changes, under the names of the table. */
export interface ProductCells {
  name: string
  slug: string
  description: string
  category: string | null
  price: number
  price_with_hooks: number | null
  model: string | null
  length_mm: number | null
  weight_grams: number | null
  hook_size: string | null
  specs: Spec[]
  images: LurePicture[]
  made_to_order: boolean
  status: ProductStatus
  publish_at: string | null
  low_stock_at: number | null
}

/** The same of a colour. */
export interface VariantCells {
  name: string
  sku: string | null
  stock_quantity: number
  image_url: string | null
  image_alt: string | null
}

export interface VariantRecord extends VariantCells {
  id: string
}

export interface ProductRecord extends ProductCells {
  id: string
  image_url: string | null
  stock_quantity: number
  product_variants: VariantRecord[]
}

const COLUMNS = [
  'id, name, slug, description, category, price, price_with_hooks, model, length_mm, weight_grams, hook_size, specs, images',
  'made_to_order, status, publish_at, low_stock_at, image_url, stock_quantity',
  'product_variants(id, name, sku, stock_quantity, image_url, image_alt)',
].join(', ')

export function useProductRecord(id: string) {
  return useQuery({
    queryKey: ['products', id],
    queryFn: () =>
      askBackend<ProductRecord | null>((backend) =>
        backend
          .from('products')
          .select(COLUMNS)
          .eq('id', id)
          .order('position', { referencedTable: 'product_variants' })
          .maybeSingle(),
      ),
  })
}
