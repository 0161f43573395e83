import { DescriptionList, Grid, Hint, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { Sum } from '#app/ui/sum.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { formatPrice, formatTotal } from '#domain/money.ts'
import { orderSums, returnedText, type CustomerOrderView, type OrderLine } from '#domain/order.ts'
import styles from './order-lines.module.css'

export function OrderLines({ order }: { order: CustomerOrderView }) {
  return (
    <Stack as="section" gap={4} aria-labelledby="lines">
      <h2 id="lines">Your lures</h2>
      <ul className={styles.lines}>
        {order.lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      <Totals order={order} />
    </Stack>
  )
}

function Line({ line }: { line: OrderLine }) {
  const returned = returnedText(line)
  return (
    <Grid as="li" divided="below" columns="72px 1fr auto" gap={4} block={3}>
      <div className={styles.picture}>
        {line.pictureUrl && (
          <Picture src={line.pictureUrl} alt="" width={1200} height={1200} sizes="72px" widths={[160, 320]} />
        )}
      </div>
      <div>
        <Text weight={600}>{line.name}</Text>
        <Hint>{line.choice}</Hint>
        <Hint>
          {line.quantity} × {formatPrice(line.priceCents)}
        </Hint>
        {returned && (
          <Text tone="warning" size="s" weight={600}>
            {returned}
          </Text>
        )}
      </div>
      <Text as="span" numeric noWrap>
        {formatTotal(line.totalCents)}
      </Text>
    </Grid>
  )
}

function Totals({ order }: { order: CustomerOrderView }) {
  return (
    <DescriptionList kind="sums" gap={2} className={styles.totals}>
      {orderSums(order).map(({ label, cents }) => (
        <Sum key={label} label={label} cents={cents} isFree={label === 'Shipping' && cents === 0} />
      ))}
      <Sum label="Total" cents={order.totalCents} className={styles.total} />
      {order.waivedCents > 0 && <Sum label="Waived" cents={-order.waivedCents} />}
      {order.refunds.map((refund) => (
        <Sum
          key={refund.at}
          label={
            <>
              {refund.doneAt ? 'Refunded' : 'Refund in progress since'}{' '}
              <LocalDate at={refund.doneAt ?? refund.at} />
            </>
          }
          cents={-refund.cents}
        />
      ))}
    </DescriptionList>
  )
}
