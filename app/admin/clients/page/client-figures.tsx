import { DescriptionList, Fact } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import type { ClientOverview } from './client-queries.ts'
import styles from './client.module.css'

export function ClientFigures({ client }: { client: ClientOverview }) {
  const { orders, paid_orders, spend, refunded, last_order_at, consent } = client
  return (
    <DescriptionList
      kind="figures"
      columns="repeat(auto-fit, minmax(150px, 1fr))"
      gap={3}
      className={styles.figures}
    >
      <Fact term="Lifetime spend (net)">
        <Price cents={centsFromRand(spend)} as="total" />
        {refunded > 0 && <small> {formatTotal(centsFromRand(refunded))} refunded</small>}
      </Fact>
      <Fact term="Orders">
        {orders}
        {orders !== paid_orders && <small> {paid_orders} paid</small>}
      </Fact>
      <Fact term="Last order">{last_order_at ? <RelativeTime at={last_order_at} /> : 'None'}</Fact>
      <Fact term="News and offers">{consent.is_given ? 'Yes' : 'No'}</Fact>
    </DescriptionList>
  )
}
