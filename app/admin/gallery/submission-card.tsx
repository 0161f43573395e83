import { Check, CircleCheck, CircleX, Hourglass, X, type LucideIcon } from 'lucide-react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { When } from '#app/ui/when.tsx'
import styles from './gallery.module.css'
import { useJudge, type Submission, type SubmissionStatus } from './submission.ts'

const LOOKS: Record<SubmissionStatus, { label: string; tone: BadgeTone; icon: LucideIcon }> = {
  pending: { label: 'Pending', tone: 'warning', icon: Hourglass },
  approved: { label: 'Approved', tone: 'success', icon: CircleCheck },
  declined: { label: 'Declined', tone: 'danger', icon: CircleX },
}

export function SubmissionStatusBadge({ status }: { status: SubmissionStatus }) {
  const { label, tone, icon: Icon } = LOOKS[status]
  return (
    <Badge tone={tone}>
      <Icon size={14} aria-hidden /> {label}
    </Badge>
  )
}

/** The name is the button that opens the dialog; its hit area is the whole card, save for the two decisions. */
export function SubmissionCard({ submission, onOpen }: { submission: Submission; onOpen: () => void }) {
  const { photos, customer_name, description, created_at, status } = submission
  const email = submission.gallery_contacts?.email

  return (
    <article className={styles.card}>
      <img src={photos[0]} alt={description} loading="lazy" />
      <div className={styles.cardText}>
        <SubmissionStatusBadge status={status} />
        <h3>
          <button type="button" className={styles.opener} onClick={onOpen}>
            {customer_name}
          </button>
        </h3>
        {email && <p className={styles.detail}>{email}</p>}
        <p className={styles.detail}>
          <When at={created_at} />
        </p>
        <LureOfCatch submission={submission} />
        <p className={styles.description}>{description}</p>
        {photos.length > 1 && <p className={styles.detail}>{photos.length} photos</p>}
      </div>
      {status === 'pending' && <Verdict submission={submission} />}
    </article>
  )
}

export function LureOfCatch({ submission: { products, product_variants } }: { submission: Submission }) {
  if (!products) return null
  return <p className={styles.detail}>{[products.name, product_variants?.name].filter(Boolean).join(', ')}</p>
}

export function Verdict({ submission }: { submission: Submission }) {
  const judge = useJudge(submission.id)
  return (
    <div className={styles.verdict}>
      <Button look="solid" disabled={judge.isPending} onClick={() => judge.mutate('approved')}>
        <Check size={18} aria-hidden /> Approve
      </Button>
      <Button disabled={judge.isPending} onClick={() => judge.mutate('declined')}>
        <X size={18} aria-hidden /> Decline
      </Button>
    </div>
  )
}
