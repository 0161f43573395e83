import { TriangleAlert } from 'lucide-react'
import type { CheckoutFields } from './checkout-fields.ts'
import type { Draft } from './draft.ts'
import styles from './error-summary.module.css'

/** As the page reads from top to bottom. */
const IN_ORDER = [
  'full_name',
  'email',
  'phone',
  'shipping_method',
  'locker_location',
  'address',
  'city',
  'zip_code',
  'state',
  'notes',
  'accept_terms',
] as const satisfies (keyof Draft)[]

/** All that is still wrong in one place, each leading to its field; what is put right leaves the list. */
export function ErrorSummary({ fields: { typed, errors, focus } }: { fields: CheckoutFields }) {
  const isAsked = (name: keyof Draft) => name !== 'locker_location' || typed.shipping_method === 'locker'
  const wrong = IN_ORDER.filter((name) => errors[name] && isAsked(name))
  if (wrong.length === 0) return null
  return (
    <section className={styles.summary} aria-label="Please check">
      <p className={styles.title}>
        <TriangleAlert size={18} aria-hidden />
        {wrong.length === 1 ? 'Please fix one thing' : `Please fix ${wrong.length} things`}
      </p>
      <ul className={styles.list}>
        {wrong.map((name) => (
          <li key={name}>
            <button type="button" onClick={() => focus(name)}>
              {errors[name]}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
