import { BellRing } from 'lucide-react'
import { IconLink } from '#app/ui/button.tsx'
import { useAttentionCounts } from './attention-counts.ts'
import styles from './attention-link.module.css'

/** Links to the payments and e-mails that need a decision, with their count, from every tab. */
export function AttentionLink() {
  const { data } = useAttentionCounts()
  const count = (data?.issues ?? 0) + (data?.to_refund ?? 0) + (data?.failed_mails ?? 0)

  return (
    <IconLink
      icon={BellRing}
      className={styles.link}
      to="/admin/needs-attention"
      label={count === 0 ? 'Needs attention: nothing' : `Needs attention: ${count}`}
    >
      {count > 0 && (
        <span className={styles.count} aria-hidden>
          {count}
        </span>
      )}
    </IconLink>
  )
}
