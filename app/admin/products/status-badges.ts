import type { BadgeTone } from '#app/ui/badge.tsx'
import type { ProductStatus } from './fields.ts'

export const STATUS_BADGES: Record<ProductStatus, { label: string; tone: BadgeTone }> = {
  draft: { label: 'Draft', tone: 'warning' },
  announced: { label: 'Announced', tone: 'warning' },
  live: { label: 'Live', tone: 'success' },
  hidden: { label: 'Hidden', tone: 'neutral' },
}
