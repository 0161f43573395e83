import { FigureTable, type FigureRow } from './figure-table.tsx'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { Hint, Row, Section } from '#app/ui/layout.tsx'
import type { Returns } from '#database'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Loaded } from '../list/resource-list.tsx'
import { useViewCounts } from '../list/saved-views.ts'
import { ORDERS } from '../orders/orders.ts'
import type { Period } from './period.ts'
import { useUnsoldColours } from './sales-queries.ts'

const LATE = { name: 'Late', address: '?late=yes' }

export function StuckSection({ period, days }: { period: Period; days: number }) {
  const unsold = useUnsoldColours(period)
  const late = useViewCounts(ORDERS, [LATE]).get(LATE.address)

  return (
    <>
      <h2>Stuck</h2>
      <Row as={Link} gap={2} quiet touch to={`/admin/orders${LATE.address}`}>
        <strong>{late ?? '–'}</strong> {late === 1 ? 'paid order has waited' : 'paid orders have waited'} more
        than three days
        <ArrowRight size={18} aria-hidden />
      </Row>
      <Section title={`In stock, unsold in ${days} days`} gap={2} justify="start" shrinks>
        <Loaded what="Unsold lures" query={unsold} height={120}>
          {(rows) =>
            rows.length === 0 ? (
              <Hint size="xs">Every colour in stock has sold.</Hint>
            ) : (
              <FigureTable heads={['Colour', 'Stock', 'Last sold']} rows={rows.map(unsoldRow)} />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

function unsoldRow({
  product_name: lure,
  product_variant: colour,
  stock,
  last_sold,
}: Returns<'unsold_variants'>[number]): FigureRow {
  return {
    key: `${lure} ${colour}`,
    to: `/admin/orders?${new URLSearchParams({ lure, colour })}`,
    name: (
      <>
        {colour} <small>{lure}</small>
      </>
    ),
    figures: [stock, last_sold ? <RelativeTime key={last_sold} at={last_sold} /> : <>Never</>],
  }
}
