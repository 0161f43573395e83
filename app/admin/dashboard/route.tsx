import { classNames } from '#app/ui/class-names.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Banknote, Package, ShoppingBag, Users, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Grid, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { FirstSteps } from './first-steps/first-steps.tsx'
import styles from './dashboard.module.css'
import { useClientCount, useProductCount, useRevenueTotals } from './dashboard-queries.ts'
import { RevenueDialog } from './revenue-dialog.tsx'
import { SalesSection } from './sales-section.tsx'
import { ToDo } from './to-do.tsx'

export default function DashboardTab() {
  const totals = useRevenueTotals()
  const clients = useClientCount()
  const products = useProductCount()
  const [isBreakdownOpen, setIsBreakdownOpen] = useState(false)

  return (
    <Stack as="section" gap={4} aria-label="Dashboard">
      <FirstSteps />
      <ToDo />
      <h2>Dashboard</h2>
      <Grid columns="repeat(4, 1fr)" gap={4} className={styles.cards}>
        <Link className={classNames(styles.tile, styles.card)} to="/admin/orders">
          <Stat
            label="Total Orders"
            icon={ShoppingBag}
            query={totals}
            format={({ orders }) => String(orders)}
          />
        </Link>
        <Link className={classNames(styles.tile, styles.card)} to="/admin/clients">
          <Stat label="Total Clients" icon={Users} query={clients} format={String} />
        </Link>
        <Link className={classNames(styles.tile, styles.card)} to="/admin/products">
          <Stat label="Total Products" icon={Package} query={products} format={String} />
        </Link>
        <button
          type="button"
          className={classNames(styles.tile, styles.card)}
          onClick={() => setIsBreakdownOpen(true)}
        >
          <Stat
            label="Total Revenue"
            hint="Paid orders, net of refunds"
            icon={Banknote}
            query={totals}
            format={({ revenue }) => formatTotal(centsFromRand(revenue))}
          />
        </button>
      </Grid>
      <RevenueDialog totals={totals} isOpen={isBreakdownOpen} onClose={() => setIsBreakdownOpen(false)} />
      <SalesSection />
    </Stack>
  )
}

interface StatProps<Data> {
  label: string
  hint?: string
  icon: LucideIcon
  query: UseQueryResult<Data>
  format: (data: Data) => string
}

function Stat<Data>({ label, hint, icon: Icon, query, format }: StatProps<Data>) {
  return (
    <>
      <Row as="span" gap={2} tone="muted" size="s" weight={600}>
        <Icon size={18} aria-hidden /> {label}
      </Row>
      <Text as="span" figure className={styles.figure}>
        {query.data !== undefined && format(query.data)}
        {query.isPending && <Skeleton width={96} />}
        {query.isError && query.data === undefined && (
          <span className={styles.failed}>Could not be loaded</span>
        )}
      </Text>
      {hint && (
        <Text as="span" tone="muted" size="xs">
          {hint}
        </Text>
      )}
    </>
  )
}
