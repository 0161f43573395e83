import type { UseQueryResult } from '@tanstack/react-query'
import { FigureTable, type FigureRow } from './figure-table.tsx'
import { Grid, Hint, Section } from '#app/ui/layout.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { HAND_OVER, shippingMethodLabel } from '#domain/shipping-method.ts'
import { Loaded } from '../list/resource-list.tsx'
import { ordersLink } from './order-links.ts'
import type { Period } from './period.ts'
import { useSalesByColour, useSalesByProduct, useSalesByProvince } from './sales-queries.ts'
import styles from './sales.module.css'

const MAX_ROWS = 8

/** Sales by lure, colour and province; each row links to its orders. */
export function BestSellers({ period }: { period: Period }) {
  const products = useSalesByProduct(period)
  const colours = useSalesByColour(period)
  const provinces = useSalesByProvince(period)

  return (
    <>
      <h2>Best sellers</h2>
      <Grid columns="repeat(3, minmax(0, 1fr))" gap={6} className={styles.rankings}>
        <Ranking
          title="By lure"
          countedIn="Pieces"
          query={products}
          rowOf={({ product_name, pieces, revenue }) => ({
            key: product_name,
            name: product_name,
            to: ordersLink(period, { lure: product_name }),
            count: pieces,
            revenue,
          })}
        />
        <Ranking
          title="By colour"
          countedIn="Pieces"
          query={colours}
          rowOf={({ product_name, product_variant, pieces, revenue }) => ({
            key: `${product_name} ${product_variant}`,
            name: (
              <>
                {product_variant} <small>{product_name}</small>
              </>
            ),
            to: ordersLink(period, { lure: product_name, colour: product_variant }),
            count: pieces,
            revenue,
          })}
        />
        <Ranking
          title="By province"
          countedIn="Orders"
          query={provinces}
          rowOf={({ province, orders, revenue }) => ({
            key: province ?? HAND_OVER,
            name: province ?? shippingMethodLabel(HAND_OVER),
            to: ordersLink(period, province ? { province } : { delivery: HAND_OVER }),
            count: orders,
            revenue,
          })}
        />
      </Grid>
      <Hint size="xs">
        Revenue is net of refunds made in this period; pieces and orders stay as sold. Lures and colours count
        at the price of their lines, and a refund lowers each line of its order in proportion. Provinces count
        whole orders, with delivery and discount.
      </Hint>
    </>
  )
}

interface RankedRow extends Pick<FigureRow, 'key' | 'name' | 'to'> {
  count: number
  revenue: number
}

interface RankingProps<Row> {
  title: string
  countedIn: string
  query: UseQueryResult<Row[]>
  rowOf: (row: Row) => RankedRow
}

function Ranking<Row>({ title, countedIn, query, rowOf }: RankingProps<Row>) {
  return (
    <Section title={title} gap={2} justify="start" shrinks>
      <Loaded what={title} query={query} height={220}>
        {(sold) => {
          const rows = sold.slice(0, MAX_ROWS).map(rowOf)
          if (rows.length === 0) return <Hint size="xs">No sales in this period.</Hint>
          const highest = Math.max(1, ...rows.map(({ revenue }) => revenue))
          return (
            <FigureTable
              heads={[title.replace('By ', ''), countedIn, 'Revenue (net)']}
              rows={rows.map(({ count, revenue, ...row }) => ({
                ...row,
                share: revenue / highest,
                figures: [count, formatTotal(centsFromRand(revenue))],
              }))}
            />
          )
        }}
      </Loaded>
    </Section>
  )
}
