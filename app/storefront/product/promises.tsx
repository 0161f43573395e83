import { RotateCcw, Truck } from 'lucide-react'
import { Link } from 'react-router'
import { shop } from '#shop'
import { DeliveryDates } from './delivery-dates.tsx'
import styles from './promises.module.css'

interface PromisesProps {
  today: string
  isMadeToOrder: boolean
}

/** When it arrives, what that costs, and what happens when it is not right: before anything is in the cart. */
export function Promises({ today, isMadeToOrder }: PromisesProps) {
  const { flatRateRand, freeFromRand } = shop.shipping
  const { coolingOffDays, policyDays } = shop.returns
  return (
    <ul className={styles.promises}>
      <li>
        <Truck size={22} aria-hidden />
        <p>
          <strong>
            With you <DeliveryDates today={today} isMadeToOrder={isMadeToOrder} />
          </strong>{' '}
          if you order today{isMadeToOrder && ', making it included'}. R{flatRateRand} to a locker or your
          door, free from R{freeFromRand}.
        </p>
      </li>
      <li>
        <RotateCcw size={22} aria-hidden />
        <p>
          <strong>{coolingOffDays} days to change your mind,</strong> {policyDays} to send it back unused.{' '}
          <Link to="/shipping-returns">Shipping &amp; Returns</Link>
        </p>
      </li>
    </ul>
  )
}
