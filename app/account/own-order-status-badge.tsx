import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { orderStatusLabel } from '#domain/order-status.ts'

const TONES: Record<string, BadgeTone> = {
  pending_payment: 'warning',
  shipped: 'success',
  delivered: 'success',
  cancelled: 'danger',
}

export function OwnOrderStatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'neutral'}>{orderStatusLabel(status)}</Badge>
}
