import { Check, Circle } from 'lucide-react'
import { Hint, Stack, Text } from '#app/ui/layout.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import type { CustomerOrderView } from '#domain/order.ts'
import styles from './order-timeline.module.css'
import { customerTimeline } from './timeline.ts'

export function OrderTimeline({ order }: { order: CustomerOrderView }) {
  return (
    <Stack screenOnly as="section" gap={4} justify="start" aria-labelledby="timeline">
      <h2 id="timeline">Order progress</h2>
      <Stack as="ol">
        {customerTimeline(order).map(({ label, happenedAt }) => (
          <li key={`${label} ${happenedAt}`} className={happenedAt ? styles.done : styles.upcoming}>
            {happenedAt ? <Check size={18} aria-hidden /> : <Circle size={18} aria-hidden />}
            <div>
              <Text weight={600} className={styles.label}>
                {!happenedAt && <VisuallyHidden>Upcoming: </VisuallyHidden>}
                {label}
              </Text>
              {happenedAt && (
                <Hint>
                  <LocalDate at={happenedAt} />
                </Hint>
              )}
            </div>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}
