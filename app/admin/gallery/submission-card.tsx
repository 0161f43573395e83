import { Check, CircleCheck, CircleX, Hourglass, Undo2, X, type LucideIcon } from 'lucide-react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Grid, Stack } from '#app/ui/layout.tsx'
import { LocalDateTime, LocalDate } from '#app/ui/local-date.tsx'
import styles from './gallery.module.css'
import { STATUS_LABELS } from './submission-list.ts'
import { latestVerdict, type Submission, type SubmissionStatus } from './submission.ts'

const LOOKS: Record<SubmissionStatus, { tone: BadgeTone; icon: LucideIcon }> = {
  pending: { tone: 'warning', icon: Hourglass },
  approved: { tone: 'success', icon: CircleCheck },
  declined: { tone: 'danger', icon: CircleX },
}

export function SubmissionStatusBadge({ status }: { status: SubmissionStatus }) {
  const { tone, icon: Icon } = LOOKS[status]
  return (
    <Badge icon={Icon} tone={tone}>
      {STATUS_LABELS[status]}
    </Badge>
  )
}

interface CardProps extends VerdictProps {
  submission: Submission
  /** The URL of its first photo; undefined while loading. */
  photo: string | undefined
  /** The name of the staff member who reviewed it. */
  decidedBy: string | undefined
  isCurrent: boolean
  onFocus: () => void
  onOpen: () => void
}

/** The name is the button that opens the dialog; its hit area covers the card except for the other buttons. */
export function SubmissionCard({ submission, photo, decidedBy, isCurrent, ...card }: CardProps) {
  const { id, customer_name, description, created_at, status, image_urls } = submission
  const email = submission.gallery_contacts?.email

  return (
    // Focusing anything in the card makes it the target of the keyboard shortcuts.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      className={styles.card}
      aria-label={`Photo from ${customer_name}`}
      aria-current={isCurrent || undefined}
      data-submission={id}
      tabIndex={-1}
      onFocus={card.onFocus}
    >
      {photo ? (
        <img src={photo} alt={description} loading="lazy" />
      ) : (
        <span className={styles.photoPlaceholder} aria-hidden />
      )}
      <Stack gap={1} align="start" justify="start" className={styles.cardText}>
        <SubmissionStatusBadge status={status} />
        <h3>
          <button type="button" className={styles.openButton} onClick={card.onOpen}>
            {customer_name}
          </button>
        </h3>
        {email && <p className={styles.detail}>{email}</p>}
        <p className={styles.detail}>
          <LocalDate at={created_at} />
        </p>
        <TaggedLureText submission={submission} />
        <p className={styles.description}>{description}</p>
        {image_urls.length > 1 && <p className={styles.detail}>{image_urls.length} photos</p>}
        <VerdictText submission={submission} decidedBy={decidedBy} />
      </Stack>
      <VerdictButtons {...card} status={status} />
    </article>
  )
}

function TaggedLureText({ submission: { products, product_variants } }: { submission: Submission }) {
  if (!products) return null
  return <p className={styles.detail}>{[products.name, product_variants?.name].filter(Boolean).join(', ')}</p>
}

/** The reason, author and time of the latest decision; nothing for a photo that is pending again. */
function VerdictText({ submission, decidedBy }: Pick<CardProps, 'submission' | 'decidedBy'>) {
  const verdict = latestVerdict(submission)
  if (!verdict || submission.status === 'pending') return null
  return (
    <Stack size="s" breakWords className={styles.verdictText}>
      {verdict.reason && <p>{verdict.reason}</p>}
      <p className={styles.detail}>
        {STATUS_LABELS[verdict.verdict]}
        {decidedBy && ` by ${decidedBy}`}, <LocalDateTime at={verdict.decided_at} />
      </p>
    </Stack>
  )
}

export interface VerdictProps {
  isBusy: boolean
  onReview: (verdict: SubmissionStatus) => void
  /** Opens the dialog that asks for the reason. */
  onDecline: () => void
}

/** Approve and Decline while the photo is pending, otherwise Undo. */
export function VerdictButtons({
  status,
  isBusy,
  onReview,
  onDecline,
}: VerdictProps & { status: SubmissionStatus }) {
  if (status !== 'pending') {
    return (
      <Grid columns="1fr 1fr" gap={2} className={styles.verdict}>
        <Button className={styles.undo} disabled={isBusy} onClick={() => onReview('pending')}>
          <Undo2 size={18} aria-hidden /> Undo
        </Button>
      </Grid>
    )
  }
  return (
    <Grid columns="1fr 1fr" gap={2} className={styles.verdict}>
      <Button look="solid" disabled={isBusy} onClick={() => onReview('approved')}>
        <Check size={18} aria-hidden /> Approve
      </Button>
      <Button disabled={isBusy} onClick={onDecline}>
        <X size={18} aria-hidden /> Decline
      </Button>
    </Grid>
  )
}
