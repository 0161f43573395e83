import type { ReactNode } from 'react'
import { Price } from './price.tsx'

interface SumProps {
  label: ReactNode
  cents: number
  isFree?: boolean
  className?: string | undefined
}

/** One amount of a `DescriptionList` of the kind `sums`. */
export function Sum({ label, cents, isFree, className }: SumProps) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{isFree ? 'Free' : <Price cents={cents} as="total" />}</dd>
    </div>
  )
}
