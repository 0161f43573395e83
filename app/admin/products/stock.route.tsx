import { useParams } from 'react-router'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { GuardedForms } from '../list/guarded-forms.tsx'
import { Failure } from '../list/resource-list.tsx'
import { ProductHead } from './product-head.tsx'
import { ShelfCard } from './stock/shelf-card.tsx'
import { StockHistory } from './stock/stock-history.tsx'
import { useShelf } from './stock/stock.ts'
import styles from './stock/stock.module.css'

/** The shelf of one lure: how many of each colour, changed with a reason, and what happened to them. */
export default function ProductStock() {
  const { productId = '' } = useParams()
  const shelf = useShelf(productId)

  if (shelf.isError)
    return <Failure what="This product" error={shelf.error} onRetry={() => void shelf.refetch()} />
  if (!shelf.data) return <Skeleton height={320} />
  return (
    <>
      <ProductHead product={shelf.data} />
      <GuardedForms>
        <ul className={styles.shelves} aria-label="Colours on the shelf">
          {shelf.data.product_variants.map((variant) => (
            <ShelfCard key={variant.id} shelf={variant} />
          ))}
        </ul>
      </GuardedForms>
      <StockHistory product={shelf.data} />
    </>
  )
}
