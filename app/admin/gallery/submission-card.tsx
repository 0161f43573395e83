import { Check, CircleCheck, CircleX, Hourglass, Trash2, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type BadgeLook } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Stack, Text, Row } from '#app/ui/layout.tsx'
import { LocalDateTime, LocalDate } from '#app/ui/local-date.tsx'
import { useIsPacker } from '../frame/role.ts'
import styles from './gallery.module.css'
import { STATUS_LABELS } from './submission-list.ts'
import { latestVerdict, type Submission, type SubmissionStatus } from './submission.ts'

const LOOKS: Record<SubmissionStatus, BadgeLook> = {
  pending: { label: STATUS_LABELS.pending, tone: 'warning', icon: Hourglass },
  approved: { label: STATUS_LABELS.approved, tone: 'success', icon: CircleCheck },
  declined: { label: STATUS_LABELS.declined, tone: 'danger', icon: CircleX },
}

export function SubmissionStatusBadge({ status }: { status: SubmissionStatus }) {
  return <Badge {...LOOKS[status]} />
}

interface CardProps extends VerdictProps {
  submission: Submission
  /** The URL of its first photo; undefined while it cannot be opened. */
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
  const { products, product_variants } = submission
  const email = submission.gallery_contacts?.email
  const isPacker = useIsPacker()

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
        {email && <Detail>{email}</Detail>}
        <Detail>
          <LocalDate at={created_at} />
        </Detail>
        {products && <Detail>{[products.name, product_variants?.name].filter(Boolean).join(', ')}</Detail>}
        <p className={styles.description}>{description}</p>
        {image_urls.length > 1 && <Detail>{image_urls.length} photos</Detail>}
        <VerdictText submission={submission} decidedBy={decidedBy} />
      </Stack>
      <VerdictButtons {...card} status={status} onDelete={isPacker ? undefined : card.onDelete} />
    </article>
  )
}

function Detail({ children }: { children: ReactNode }) {
  return (
    <Text tone="muted" size="xs" breakWords>
      {children}
    </Text>
  )
}

/** The reason, author and time of the latest decision; nothing for a photo that is pending again. */
function VerdictText({ submission, decidedBy }: Pick<CardProps, 'submission' | 'decidedBy'>) {
  const verdict = latestVerdict(submission)
  if (!verdict || submission.status === 'pending') return null
  return (
    <Stack size="s" breakWords className={styles.verdictText}>
      {verdict.reason && <p>{verdict.reason}</p>}
      <Detail>
        {STATUS_LABELS[verdict.verdict]}
        {decidedBy && ` by ${decidedBy}`}, <LocalDateTime at={verdict.decided_at} />
      </Detail>
    </Stack>
  )
}

export interface VerdictProps {
  isBusy: boolean
  /** Staff cannot see its photos yet, so it cannot be approved. */
  isUnseen: boolean
  onReview: (verdict: SubmissionStatus) => void
  /** Opens the dialog that asks for the reason. */
  onDecline: () => void
  /** Opens the question. Missing where the photo cannot be deleted. */
  onDelete?: (() => void) | undefined
}

/** Approve and Decline while the photo is pending, otherwise Undo, and Delete once it is declined. */
export function VerdictButtons({
  status,
  isBusy,
  isUnseen,
  onReview,
  onDecline,
  onDelete,
}: VerdictProps & { status: SubmissionStatus }) {
  return (
    <Row gap={2} align="stretch" className={styles.verdict}>
      {status === 'pending' ? (
        <>
          <Button look="solid" disabled={isBusy || isUnseen} onClick={() => onReview('approved')}>
            <Check size={18} aria-hidden /> Approve
          </Button>
          <Button disabled={isBusy} onClick={onDecline}>
            <X size={18} aria-hidden /> Decline
          </Button>
        </>
      ) : (
        <>
          <Button disabled={isBusy} onClick={() => onReview('pending')}>
            <Undo2 size={18} aria-hidden /> Undo
          </Button>
          {status === 'declined' && onDelete && (
            <Button look="danger" disabled={isBusy} onClick={onDelete}>
              <Trash2 size={18} aria-hidden /> Delete
            </Button>
          )}
        </>
      )}
    </Row>
  )
}
