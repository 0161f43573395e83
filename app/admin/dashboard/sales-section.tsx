import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { Grid, Hint, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useToday } from '#app/ui/use-today.ts'
import { formatTotal } from '#domain/money.ts'
import { Loaded, QueryFailure } from '../list/resource-list.tsx'
import { orderCountText } from '../orders/orders.ts'
import { BarChart } from './bar-chart.tsx'
import { BestSellers } from './best-sellers.tsx'
import { ordersLink, shortDay } from './order-links.ts'
import {
  averageCents,
  groupIntoBars,
  changeText,
  hasSales,
  PERIOD_DAYS,
  periodsOf,
  sumSales,
  type DayOfSales,
  type Sales,
} from './period.ts'
import { useSalesByDay } from './sales-queries.ts'
import styles from './sales.module.css'
import { StuckSection } from './stuck-section.tsx'
import { Disclosure } from '#app/ui/disclosure.tsx'
import { FigureTable } from './figure-table.tsx'

/** Sales, best sellers and late orders for the period in the URL. */
export function SalesSection() {
  const [searchParams] = useSearchParams()
  const days = PERIOD_DAYS.find((count) => String(count) === searchParams.get('days')) ?? 30
  const { now, before } = periodsOf(days, useToday())
  const sales = useSalesByDay(now)
  const earlier = useSalesByDay(before)

  return (
    <Stack as="section" gap={4} className={styles.sales} aria-label="Sales" aria-busy={sales.isPending}>
      <Row gap={3} justify="between" wrap>
        <h2>Sales</h2>
        <nav className={styles.periods} aria-label="Period">
          {PERIOD_DAYS.map((count) => (
            <Link
              key={count}
              to={`/admin?days=${count}`}
              aria-current={count === days || undefined}
              preventScrollReset
            >
              {count} days
            </Link>
          ))}
        </nav>
      </Row>
      <Loaded what="Sales" query={sales} height={380}>
        {(byDay) => (
          <>
            <SalesFigures now={sumSales(byDay)} earlier={earlier} days={days} />
            <RevenueChart days={byDay} />
          </>
        )}
      </Loaded>
      <BestSellers period={now} />
      <StuckSection period={now} days={days} />
    </Stack>
  )
}

interface FiguresProps {
  now: Sales
  /** The sales of the days before. */
  earlier: UseQueryResult<DayOfSales[]>
  days: number
}

/** The sums of a period, compared with the period before. */
export function SalesFigures({ now, earlier, days }: FiguresProps) {
  const before = earlier.data && sumSales(earlier.data)
  const figures = [
    {
      label: 'Revenue, net of refunds',
      of: (sales: Sales) => sales.revenueCents,
      format: formatTotal,
      note: refundNote,
    },
    { label: 'Orders', of: (sales: Sales) => sales.orders, format: String },
    { label: 'Average order, net', of: averageCents, format: formatTotal },
  ]
  const hasComparison = before === undefined || hasSales(before)
  return (
    <div>
      <Grid columns="repeat(3, minmax(0, 1fr))" gap={5} className={styles.figures}>
        {figures.map(({ label, of, format, note }) => (
          <Stack justify="start" key={label}>
            <Stack as={Link} gap={1} quiet to={ordersLink(now)}>
              <Hint as="span" weight={600}>
                {label}
              </Hint>
              <Text as="span" figure className={styles.amount}>
                {format(of(now))}
              </Text>
              {note && (
                <Hint as="span" size="xs">
                  {note(now)}
                </Hint>
              )}
            </Stack>
            {earlier.isPending && <Skeleton width={160} />}
            {before && hasComparison && (
              <Row as={Link} columnGap={2} wrap touch quiet size="s" weight={600} to={ordersLink(before)}>
                {changeText(of(now), of(before))}
                <Text as="span" tone="muted">
                  {format(of(before))} in the {days} days before
                </Text>
              </Row>
            )}
          </Stack>
        ))}
      </Grid>
      {before === undefined && <QueryFailure what={`Sales of the ${days} days before`} query={earlier} />}
      {!hasComparison && <Hint size="xs">No sales in the {days} days before to compare with.</Hint>}
    </div>
  )
}

function refundNote({ revenueCents, refundCents }: Sales): string {
  if (refundCents === 0) return 'No refunds'
  return `${formatTotal(revenueCents + refundCents)} sold, ${formatTotal(refundCents)} refunded`
}

function RevenueChart({ days }: { days: DayOfSales[] }) {
  const bars = groupIntoBars(days)
  const best = bars.reduce(
    (most, bar) => (bar.revenueCents > most.revenueCents ? bar : most),
    bars[0] ?? sumSales([]),
  )
  const unit = bars.length === days.length ? 'day' : days.length <= 100 ? 'week' : 'thirty days'

  return (
    <>
      <BarChart
        summary={`Revenue net of refunds by ${unit}. Highest: ${formatTotal(best.revenueCents)}, ${periodText(best)}. The table below lists all values.`}
        peak={formatTotal(best.revenueCents)}
        bars={bars.map((bar) => ({
          label: shortDay(bar.from),
          value: bar.revenueCents,
          tooltip: `${periodText(bar)}: ${formatTotal(bar.revenueCents)}, ${orderCountText(bar.orders)}`,
        }))}
      />
      <Disclosure summary="Show as table">
        <FigureTable
          heads={['Period', 'Orders', 'Refunds', 'Revenue (net)']}
          rows={bars.toReversed().map((bar) => ({
            key: bar.from,
            name: periodText(bar),
            to: ordersLink(bar),
            figures: [bar.orders, formatTotal(-bar.refundCents), formatTotal(bar.revenueCents)],
          }))}
        />
      </Disclosure>
    </>
  )
}

function periodText({ from, to }: Sales): string {
  return from === to ? shortDay(from) : `${shortDay(from)} to ${shortDay(to)}`
}
