import { RotateCcw, Truck } from 'lucide-react'
import { Link } from 'react-router'
import { shop } from '#shop'
import styles from './promises.module.css'

/** What delivery costs and what happens when it is not right, before anything is in the cart. */
export function Promises() {
  const { flatRateRand, freeFromRand, processingDays, deliveryDays } = shop.shipping
  return (
    <ul className={styles.promises}>
      <li>
        <Truck size={22} aria-hidden />
        <p>
          <strong>
            R{flatRateRand} to a locker or your door, free from R{freeFromRand}.
          </strong>{' '}
          Packed in {processingDays.join('–')} business days, with you {deliveryDays.join('–')} business days
          later.
        </p>
      </li>
      <li>
        <RotateCcw size={22} aria-hidden />
        <p>
          <strong>{shop.returns.policyDays} days to send it back unused.</strong>{' '}
          <Link to="/shipping-returns">Shipping &amp; Returns</Link>
        </p>
      </li>
    </ul>
  )
}
