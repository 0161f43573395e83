import styles from './demonstration-warning.module.css'

/** Shown above every page of a public shop whose payments are simulated. */
export function DemonstrationWarning() {
  return (
    <aside className={styles.warning} aria-label="Demonstration">
      This is a demonstration shop: payments are simulated, no real money is taken and nothing is delivered.
    </aside>
  )
}
