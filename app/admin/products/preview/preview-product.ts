import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { PRODUCT_COLUMNS, productFrom, productRow } from '#app/storefront/catalogue/product-row.ts'
import type { Product } from '#domain/catalogue.ts'
import { z } from '#domain/validation/schema.ts'

const stockRow = z.object({ id: z.string(), stock_quantity: z.number() })

/** The product in the storefront's shape, whatever its status. All of its stock counts as available. */
export function usePreviewProduct(id: string) {
  return useQuery({ queryKey: ['products', id, 'preview'], queryFn: () => loadProduct(id) })
}

async function loadProduct(id: string): Promise<Product | null> {
  const [product, stock] = await Promise.all([
    queryBackend((backend) => backend.from('products').select(PRODUCT_COLUMNS).eq('id', id).maybeSingle()),
    queryBackend((backend) =>
      backend.from('product_variants').select('id, stock_quantity').eq('product_id', id),
    ),
  ])
  if (product === null) return null
  const rows = z.array(stockRow).parse(stock)
  return productFrom(productRow.parse(product), new Map(rows.map((row) => [row.id, row.stock_quantity])))
}
