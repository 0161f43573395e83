import { Link, useSearchParams } from 'react-router'
import { unlisted } from '#app/storefront/page-meta.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Grid, Hint, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { PageLinks } from '#app/ui/pagination/page-links.tsx'
import { parsePage } from '#app/ui/pagination/page-number.ts'
import { LocalDate } from '#app/ui/local-date.tsx'
import { formatTotal } from '#domain/money.ts'
import type { ListedOrder } from '#domain/order.ts'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'
import { OwnOrderStatusBadge } from '../own-order-status-badge.tsx'
import { Loading } from '../loading.tsx'
import type { Route } from './+types/route'
import styles from './orders.module.css'
import { ORDERS_ON_A_PAGE, useOwnOrders } from './own-orders.ts'

export const meta: Route.MetaFunction = ({ location }) => {
  const page = parsePage(new URLSearchParams(location.search))
  return unlisted(page > 1 ? `My orders, page ${page}` : 'My orders')()
}

export default function OwnOrders() {
  const customer = useCustomer()
  const [search] = useSearchParams()
  const page = parsePage(search)
  const orders = useOwnOrders(customer.id, page)

  if (orders.isPending) return <Loading label="Loading your orders" />
  return (
    <>
      <Text as="h1" below={5}>
        My orders
      </Text>
      <LoadError what="Your orders could not be loaded." query={orders} />
      {orders.data && (orders.data.count === 0 ? <NoOrders /> : <List orders={orders.data.orders} />)}
      {orders.data && <OrderPages count={orders.data.count} page={page} />}
    </>
  )
}

function OrderPages({ count, page }: { count: number; page: number }) {
  const last = Math.max(1, Math.ceil(count / ORDERS_ON_A_PAGE))
  return (
    <PageLinks
      of="orders"
      path="/account"
      page={Math.min(page, last + 1)}
      hasNext={page < last}
      text={`Page ${page} of ${last}`}
      labels={['Newer', 'Older']}
    />
  )
}

function NoOrders() {
  return (
    <Stack gap={5} align="start">
      <p>No orders yet. Your orders and their tracking will appear here.</p>
      <ButtonLink look="action" size="large" to="/products">
        See the lures
      </ButtonLink>
    </Stack>
  )
}

function List({ orders }: { orders: ListedOrder[] }) {
  if (orders.length === 0) return <p>There are no more orders on this page.</p>
  return (
    <ol className={styles.list}>
      {orders.map((order) => (
        <Grid
          as="li"
          key={order.id}
          columns="1fr auto"
          gap={2}
          columnGap={4}
          block={4}
          align="center"
          className={styles.order}
        >
          <OrderPictures order={order} />
          <div>
            <Text as="h2" size="title-s">
              <Link to={`/account/orders/${order.id}`} className={styles.link}>
                Order #{order.number}
              </Link>
            </Text>
            <Hint above={1}>
              {order.placedAt && <LocalDate at={order.placedAt} />} · {lureCount(order)}
            </Hint>
          </div>
          <OwnOrderStatusBadge status={order.status} />
          <Text as="span" weight={650} numeric className={styles.total}>
            {formatTotal(order.totalCents)}
          </Text>
        </Grid>
      ))}
    </ol>
  )
}

const SHOWN_PICTURES = 3

/** Decorative; the order number is the accessible name of the link. */
function OrderPictures({ order }: { order: ListedOrder }) {
  const pictures = order.lines.flatMap(({ id, pictureUrl: url }) => (url ? [{ id, url }] : []))
  return (
    <Row gap={2} align="stretch" className={styles.pictures} aria-hidden>
      {pictures.slice(0, SHOWN_PICTURES).map(({ id, url }) => (
        <Picture key={id} src={url} alt="" width={1200} height={1200} sizes="64px" widths={[160, 320]} />
      ))}
    </Row>
  )
}

function lureCount({ lines }: ListedOrder): string {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return `${count} ${count === 1 ? 'lure' : 'lures'}`
}
