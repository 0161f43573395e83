import type { ComponentProps } from 'react'
import { formatPrice, formatTotal } from '#domain/money.ts'
import { Text } from './layout.tsx'

interface PriceProps extends Omit<ComponentProps<typeof Text>, 'as'> {
  cents: number
  as?: 'tag' | 'total'
}

/** Shows a price (`R400`) or, with `as="total"`, a sum (`R1 234.50`). */
export function Price({ cents, as = 'tag', ...look }: PriceProps) {
  return (
    <Text as="span" numeric noWrap {...look}>
      {as === 'total' ? formatTotal(cents) : formatPrice(cents)}
    </Text>
  )
}
