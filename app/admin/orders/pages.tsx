import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconLink } from '#app/ui/button.tsx'
import { ORDERS_ON_A_PAGE, type OrdersView } from './order-queries.ts'
import { ordersAddress } from './orders-view.ts'
import styles from './pages.module.css'

/** The search ends there: see `search_orders`. */
const FOUND_AT_MOST = 1000

/** `1–50 of 143`, and the way to the pages before and after. */
export function Pages({ view, count }: { view: OrdersView; count: number }) {
  if (count === 0) return null
  const { page } = view
  const lastPage = Math.ceil(count / ORDERS_ON_A_PAGE)
  const first = (page - 1) * ORDERS_ON_A_PAGE + 1
  const last = Math.min(page * ORDERS_ON_A_PAGE, count)
  const total = view.search && count === FOUND_AT_MOST ? `${count} or more` : count
  const addressOf = (wanted: number) => ({ search: ordersAddress({ ...view, page: wanted }) })

  return (
    <nav className={styles.pages} aria-label="Pages of orders">
      <span>{page > lastPage ? `${total} in all` : `${first}–${last} of ${total}`}</span>
      {page > 1 && (
        <IconLink label="Newer orders" to={addressOf(Math.min(page - 1, lastPage))}>
          <ChevronLeft size={20} aria-hidden />
        </IconLink>
      )}
      {last < count && (
        <IconLink label="Older orders" to={addressOf(page + 1)}>
          <ChevronRight size={20} aria-hidden />
        </IconLink>
      )}
    </nav>
  )
}
