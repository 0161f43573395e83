import styles from './site-warnings.module.css'

/** Shown above every page of a public shop whose payments are simulated. */
export function DemonstrationWarning() {
  return (
    <aside className={styles.warning} aria-label="Demonstration">
      This is a demonstration shop: payments are simulated, no real money is taken and nothing is delivered.
    </aside>
  )
}

/** Shown above every page of a restored backup that has not been made live. */
export function CopyWarning() {
  return (
    <aside className={styles.warning} aria-label="Restored copy">
      This is a restored copy of the shop: it sends no e-mails and takes no payments.
    </aside>
  )
}
