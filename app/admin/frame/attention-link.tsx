import { BellRing } from 'lucide-react'
import { IconLink } from '#app/ui/button.tsx'
import { useAttentionCounts } from '../list/attention-counts.ts'
import styles from './attention-link.module.css'

/** Whatever tab is open: money and mails that wait for a decision are one press away, with their number. */
export function AttentionLink() {
  const { data } = useAttentionCounts()
  const count = (data?.concerns ?? 0) + (data?.to_refund ?? 0) + (data?.failed_mails ?? 0)

  return (
    <IconLink
      className={styles.link}
      to="/admin/needs-attention"
      label={count === 0 ? 'Needs attention: nothing' : `Needs attention: ${count}`}
    >
      <BellRing size={20} aria-hidden />
      {count > 0 && (
        <span className={styles.count} aria-hidden>
          {count}
        </span>
      )}
    </IconLink>
  )
}
