import { Search, X } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import { ORDER_STATUSES, orderStatusLabel } from '#domain/order-status.ts'
import type { OrdersView } from './order-queries.ts'
import styles from './orders-filter.module.css'
import { ordersAddress } from './orders-view.ts'

/** A box that takes whatever is at hand, and a chip for each status; both stand in the address. */
export function OrdersFilter({ view }: { view: OrdersView }) {
  return (
    <div className={styles.filter}>
      <SearchBox key={view.search} view={view} />
      <nav className={styles.chips} aria-label="Status">
        {[null, ...ORDER_STATUSES].map((status) => (
          <Link
            key={status ?? 'all'}
            className={styles.chip}
            to={{ search: ordersAddress({ ...view, status, page: 1 }) }}
            aria-current={view.status === status || undefined}
          >
            {status ? orderStatusLabel(status) : 'All'}
          </Link>
        ))}
      </nav>
    </div>
  )
}

function SearchBox({ view }: { view: OrdersView }) {
  const navigate = useNavigate()
  const [term, setTerm] = useState(view.search)
  const go = (search: string) => void navigate({ search: ordersAddress({ ...view, search, page: 1 }) })

  const search = (event: FormEvent) => {
    event.preventDefault()
    go(term.trim())
  }

  return (
    <form role="search" className={styles.search} onSubmit={search}>
      <Search size={18} aria-hidden />
      <input
        type="search"
        aria-label="Search orders"
        placeholder="Number, name, e-mail, phone, tracking, lure"
        value={term}
        maxLength={100}
        enterKeyHint="search"
        onChange={(event) => setTerm(event.target.value)}
      />
      {view.search && (
        <IconButton label="Clear the search" onClick={() => go('')}>
          <X size={18} aria-hidden />
        </IconButton>
      )}
    </form>
  )
}
