import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconLink } from '#app/ui/button.tsx'
import { ORDERS_ON_A_PAGE } from './order-queries.ts'
import styles from './pages.module.css'

/** `1–50 of 143`, and the way to the pages before and after. */
export function Pages({ page, count }: { page: number; count: number }) {
  if (count === 0) return null
  const first = (page - 1) * ORDERS_ON_A_PAGE + 1
  const last = Math.min(page * ORDERS_ON_A_PAGE, count)

  return (
    <nav className={styles.pages} aria-label="Pages of orders">
      <span>
        {first}–{last} of {count}
      </span>
      {page > 1 && (
        <IconLink label="Newer orders" to={{ search: page === 2 ? '' : `?page=${page - 1}` }}>
          <ChevronLeft size={20} aria-hidden />
        </IconLink>
      )}
      {last < count && (
        <IconLink label="Older orders" to={{ search: `?page=${page + 1}` }}>
          <ChevronRight size={20} aria-hidden />
        </IconLink>
      )}
    </nav>
  )
}
