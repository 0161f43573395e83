import { useParams } from 'react-router'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { GuardedForms } from '../form/guarded-forms.tsx'
import { Loaded, QueryFailure, Stale } from '../list/resource-list.tsx'
import { ProductHeader } from './product-header.tsx'
import { StockCard } from './stock/stock-card.tsx'
import { StockHistory } from './stock/stock-history.tsx'
import { useProductStock, useUnshippedUnits } from './stock/stock.ts'
import { Grid } from '#app/ui/layout.tsx'

/** Stock of each colour, adjustments with a reason, and the history. */
export default function StockPage() {
  const { productId = '' } = useParams()
  const stock = useProductStock(productId)
  const unshipped = useUnshippedUnits(productId)

  if (!stock.data) {
    return stock.isError ? <QueryFailure what="This product" query={stock} /> : <Skeleton height={320} />
  }
  const reload = () => void Promise.all([stock.refetch(), unshipped.refetch()])
  return (
    <>
      {(stock.isError || (unshipped.isError && unshipped.data)) && <Stale onRetry={reload} />}
      <ProductHeader product={stock.data} />
      <GuardedForms>
        {/* No card without its unshipped lures: a count would include them. */}
        <Loaded what="Orders that have not left" query={unshipped} height={240}>
          {(units) => (
            <Grid
              as="ul"
              columns="repeat(auto-fill, minmax(min(320px, 100%), 1fr))"
              gap={3}
              aria-label="Stock by colour"
            >
              {stock.data.product_variants.map((variant) => (
                <StockCard
                  key={variant.id}
                  variant={variant}
                  unshipped={units.filter(({ variant_id }) => variant_id === variant.id)}
                />
              ))}
            </Grid>
          )}
        </Loaded>
      </GuardedForms>
      <StockHistory product={stock.data} />
    </>
  )
}
