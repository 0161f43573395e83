import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Grid, Hint, Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { HAND_OVER, shippingMethodLabel } from '#domain/shipping-method.ts'
import { QueryFailure } from '../list/resource-list.tsx'
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
        All figures are net of refunds made in this period. Lures and colours count at the price of their
        lines, and a refund lowers each line of its order in proportion. Provinces count whole orders, with
        delivery and discount.
      </Hint>
    </>
  )
}

interface RankedRow {
  key: string
  name: ReactNode
  to: string
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
  if (query.isError && !query.data) {
    return <QueryFailure what={title} query={query} />
  }
  const rows = query.data?.slice(0, MAX_ROWS).map(rowOf)
  const highest = Math.max(1, ...(rows ?? []).map(({ revenue }) => revenue))

  return (
    <Stack as="section" gap={2} justify="start" shrinks aria-label={title}>
      <h3>{title}</h3>
      {rows === undefined && <Skeleton height={220} />}
      {rows?.length === 0 && <Hint size="xs">No sales in this period.</Hint>}
      {rows && rows.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{title.replace('By ', '')}</th>
              <th scope="col">{countedIn}</th>
              <th scope="col">Revenue (net)</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, to, count, revenue }) => (
              <tr key={key}>
                <th scope="row">
                  <Link to={to}>{name}</Link>
                  <Share of={revenue / highest} />
                </th>
                <td>{count}</td>
                <td>{formatTotal(centsFromRand(revenue))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Stack>
  )
}

/** Hidden from screen readers, because the table has the figures. */
function Share({ of }: { of: number }) {
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={styles.share} aria-hidden>
      <rect width={100 * Math.max(0, of)} height={4} />
    </svg>
  )
}
