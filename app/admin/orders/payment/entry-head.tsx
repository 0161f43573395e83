import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type BadgeLook } from '#app/ui/badge.tsx'
import { Row, Text } from '#app/ui/layout.tsx'
import { LocalDate, LocalDateTime } from '#app/ui/local-date.tsx'

interface Props {
  icon: LucideIcon
  at: string
  /** Shows the day only, because the time is not known. */
  isDay?: boolean
  badge?: Partial<BadgeLook> | false
  children: ReactNode
}

/** What an entry of the payment record is, and when it happened. */
export function EntryHead({ icon: Icon, at, isDay = false, badge, children }: Props) {
  return (
    <Row as="p" gap={1} columnGap={2} wrap>
      <Icon size={16} aria-hidden />
      <strong>{children}</strong>
      <Text as="span" tone="muted">
        {isDay ? <LocalDate at={at} /> : <LocalDateTime at={at} />}
      </Text>
      {badge && <Badge {...badge} />}
    </Row>
  )
}
