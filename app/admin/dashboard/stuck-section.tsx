import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { Hint, Row, Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Returns } from '#database'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { QueryFailure } from '../list/resource-list.tsx'
import { useViewCounts } from '../list/saved-views.ts'
import { ORDERS } from '../orders/orders.ts'
import type { Period } from './period.ts'
import { useUnsoldColours } from './sales-queries.ts'
import styles from './sales.module.css'

const LATE = { name: 'Late', address: '?late=yes' }

export function StuckSection({ period, days }: { period: Period; days: number }) {
  const unsold = useUnsoldColours(period)
  const late = useViewCounts(ORDERS, [LATE]).get(LATE.address)

  return (
    <>
      <h2>Stuck</h2>
      <Row as={Link} gap={2} tone="ink" touch className={styles.lateLink} to={`/admin/orders${LATE.address}`}>
        <strong>{late ?? '–'}</strong> {late === 1 ? 'paid order has waited' : 'paid orders have waited'} more
        than three days
        <ArrowRight size={18} aria-hidden />
      </Row>
      <Stack as="section" gap={2} justify="start" shrinks aria-label={`In stock, unsold in ${days} days`}>
        <h3>In stock, unsold in {days} days</h3>
        {unsold.isError && !unsold.data && <QueryFailure what="Unsold lures" query={unsold} />}
        {unsold.isPending && <Skeleton height={120} />}
        {unsold.data?.length === 0 && <Hint size="xs">Every colour in stock has sold.</Hint>}
        {unsold.data && unsold.data.length > 0 && <UnsoldTable rows={unsold.data} />}
      </Stack>
    </>
  )
}

function UnsoldTable({ rows }: { rows: Returns<'unsold_variants'> }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Colour</th>
          <th scope="col">Stock</th>
          <th scope="col">Last sold</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ product_name, product_variant, stock, last_sold }) => (
          <tr key={`${product_name} ${product_variant}`}>
            <th scope="row">
              <Link
                to={`/admin/orders?${new URLSearchParams({ lure: product_name, colour: product_variant })}`}
              >
                {product_variant} <small>{product_name}</small>
              </Link>
            </th>
            <td>{stock}</td>
            <td>{last_sold ? <RelativeTime at={last_sold} /> : 'Never'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
