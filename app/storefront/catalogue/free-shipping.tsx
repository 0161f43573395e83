import { Stack, Text } from '#app/ui/layout.tsx'
import { formatPrice } from '#domain/money.ts'
import { freeShippingProgress } from '#domain/pricing.ts'
import { useShippingTerms } from './shipping-terms.ts'
import styles from './free-shipping.module.css'

export function FreeShipping({ subtotalCents }: { subtotalCents: number }) {
  const { leftCents, isReached, part } = freeShippingProgress(subtotalCents, useShippingTerms())
  return (
    <Stack gap={2} size="s">
      <Text {...(isReached && { tone: 'success', weight: 650 })}>
        {isReached
          ? 'Shipping is free on this order'
          : `Add ${formatPrice(leftCents)} more for free shipping`}
      </Text>
      <div className={styles.track} aria-hidden>
        <div className={styles.bar} style={{ scale: `${part} 1` }} />
      </div>
    </Stack>
  )
}
