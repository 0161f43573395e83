import type { UseQueryResult } from '@tanstack/react-query'
import { Hint, Panel, DescriptionList } from '#app/ui/layout.tsx'
import { Sum } from '#app/ui/sum.tsx'
import { centsFromRand } from '#domain/money.ts'
import styles from './manual-order.module.css'
import type { Quote } from './manual-order.ts'

interface Props {
  quote: UseQueryResult<Quote>
  /** The total of the order to be replaced. */
  beforeCents?: number
}

export function QuoteSummary({ quote, beforeCents }: Props) {
  if (quote.isError) return <p role="alert">{quote.error.message}</p>
  if (!quote.data) return <Hint>Add a lure and its quantity to see the total.</Hint>

  return (
    <Panel padding="s">
      <DescriptionList kind="sums" gap={1} className={styles.sum} aria-label="Order total">
        {sumsOf(quote.data, beforeCents).map((sum) => (
          <Sum key={sum.label} {...sum} />
        ))}
      </DescriptionList>
    </Panel>
  )
}

/** The sums of a quote, and the difference to the total of the order that it replaces. */
export function sumsOf(quote: Quote, beforeCents: number | undefined): { label: string; cents: number }[] {
  const totalCents = centsFromRand(quote.total)
  const discountCents = centsFromRand(quote.discount)
  const sums = [
    { label: 'Subtotal', cents: centsFromRand(quote.subtotal) },
    { label: 'Shipping', cents: centsFromRand(quote.shipping) },
    ...(discountCents > 0 ? [{ label: 'Discount', cents: -discountCents }] : []),
    { label: 'Total', cents: totalCents },
  ]
  if (beforeCents === undefined) return sums
  const difference = totalCents - beforeCents
  return [
    ...sums,
    { label: 'Before', cents: beforeCents },
    { label: differenceLabel(difference), cents: Math.abs(difference) },
  ]
}

function differenceLabel(difference: number): string {
  if (difference === 0) return 'Same as before'
  return difference > 0 ? 'Difference due' : 'Less than before'
}
