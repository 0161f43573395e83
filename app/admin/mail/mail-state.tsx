import { CircleAlert, Clock, MailCheck, type LucideIcon } from 'lucide-react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import type { Mail, MailStatus } from './sent-mails.ts'

const LOOKS: Record<MailStatus, { icon: LucideIcon; tone: BadgeTone; label: string }> = {
  sent: { icon: MailCheck, tone: 'success', label: 'Sent' },
  queued: { icon: Clock, tone: 'warning', label: 'Waiting' },
  failed: { icon: CircleAlert, tone: 'danger', label: 'Failed' },
}

export function MailState({ mail }: { mail: Pick<Mail, 'status' | 'attempts'> }) {
  const { icon: Icon, tone, label } = LOOKS[mail.status]
  return (
    <Badge icon={Icon} tone={tone}>
      {mail.status === 'queued' && mail.attempts > 0 ? `Waiting, tried ${mail.attempts}×` : label}
    </Badge>
  )
}
