import { QueryWarning } from '../list/resource-list.tsx'
import type { useOrderMoney } from './order-money.ts'

/** Says above orders that their refunds and payment issues could not be loaded. */
export function OrderMoneyWarning({ money }: { money: ReturnType<typeof useOrderMoney> }) {
  return (
    <QueryWarning query={money}>
      Refunds and payment issues could not be loaded, so none are shown.
    </QueryWarning>
  )
}
