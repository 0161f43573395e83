import type { UseQueryResult } from '@tanstack/react-query'
import { Hint, Panel } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import styles from './staff-order.module.css'
import type { Quote } from './staff-order.ts'

interface Props {
  quote: UseQueryResult<Quote>
  /** The total of the order to be replaced, in rand. */
  before?: number
}

export function QuoteSummary({ quote, before }: Props) {
  if (quote.isError) return <p role="alert">{quote.error.message}</p>
  if (!quote.data) return <Hint>Add a lure to see the total.</Hint>
  const { subtotal, shipping, discount, total } = quote.data
  const rows = [
    ['Subtotal', subtotal],
    ['Shipping', shipping],
    ...(discount > 0 ? ([['Discount', -discount]] as const) : []),
    ['Total', total],
    ...(before === undefined
      ? []
      : ([
          ['Before', before],
          [differenceLabel(total - before), Math.abs(total - before)],
        ] as const)),
  ] as const

  return (
    <Panel as="dl" padding="s" gap={1} className={styles.sum} aria-label="Order total">
      {rows.map(([label, rand]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {rand < 0 && '−'}
            <Price cents={centsFromRand(Math.abs(rand))} as="total" />
          </dd>
        </div>
      ))}
    </Panel>
  )
}

function differenceLabel(difference: number): string {
  if (difference === 0) return 'Same as before'
  return difference > 0 ? 'Difference due' : 'Less than before'
}
