import type { PageSettings } from '#server/context.ts'
import styles from './site-warning.module.css'

interface Warning {
  label: string
  text: string
}

/** Returns what all pages warn of, for the server only: most shops never send these texts. */
export function siteWarningOf({
  isCopy,
  givesOrdersAway,
}: Pick<PageSettings, 'isCopy' | 'givesOrdersAway'>): Warning | null {
  if (isCopy)
    return {
      label: 'Restored copy',
      text: 'This is a restored copy of the shop: it sends no e-mails and takes no payments.',
    }
  if (!givesOrdersAway) return null
  return {
    label: 'Demonstration',
    text: 'This is a demonstration shop: payments are simulated, no real money is taken and nothing is delivered.',
  }
}

/** Shown above every page. */
export function SiteWarning({ label, text }: Warning) {
  return (
    <aside className={styles.warning} aria-label={label}>
      {text}
    </aside>
  )
}
