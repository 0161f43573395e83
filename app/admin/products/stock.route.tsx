import { useParams } from 'react-router'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { GuardedForms } from '../form/guarded-forms.tsx'
import { QueryFailure, Stale } from '../list/resource-list.tsx'
import { ProductHeader } from './product-header.tsx'
import { StockCard } from './stock/stock-card.tsx'
import { StockHistory } from './stock/stock-history.tsx'
import { useProductStock } from './stock/stock.ts'
import { Grid } from '#app/ui/layout.tsx'

/** Stock of each colour, adjustments with a reason, and the history. */
export default function StockPage() {
  const { productId = '' } = useParams()
  const stock = useProductStock(productId)

  if (!stock.data) {
    return stock.isError ? <QueryFailure what="This product" query={stock} /> : <Skeleton height={320} />
  }
  return (
    <>
      {stock.isError && <Stale onRetry={() => void stock.refetch()} />}
      <ProductHeader product={stock.data} />
      <GuardedForms>
        <Grid
          as="ul"
          columns="repeat(auto-fill, minmax(min(320px, 100%), 1fr))"
          gap={3}
          aria-label="Stock by colour"
        >
          {stock.data.product_variants.map((variant) => (
            <StockCard key={variant.id} variant={variant} />
          ))}
        </Grid>
      </GuardedForms>
      <StockHistory product={stock.data} />
    </>
  )
}
