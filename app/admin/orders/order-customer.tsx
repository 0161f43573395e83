import { Link } from 'react-router'
import { DescriptionList, Row, Stack, Fact } from '#app/ui/layout.tsx'
import { addressLabel, addressLine, type StaffOrder } from '#domain/order.ts'
import { shippingMethodLabel } from '#domain/shipping-method.ts'
import { formatPhone } from '#domain/south-africa.ts'
import { useIsPacker } from '../frame/role.ts'
import { EmailText } from '../mail/email-text.tsx'
import styles from './order-details.module.css'
import { CopyButton } from '../frame/copy-button.tsx'

/** Customer and delivery; address and locker have a copy button for the courier's form. */
export function OrderCustomer({ order }: { order: StaffOrder }) {
  const isPacker = useIsPacker()
  const { customerName: name, customerEmail: email, customerPhone: phone, locker } = order
  return (
    <DescriptionList
      kind="facts"
      columns="repeat(auto-fit, minmax(220px, 1fr))"
      gap={4}
      columnGap={5}
      className={styles.facts}
    >
      <Fact term="Customer" breakWords>
        <Stack as="span" align="start">
          {order.customerId && !isPacker ? (
            <Link to={`/admin/clients/${order.customerId}`}>{name ?? 'N/A'}</Link>
          ) : (
            <span>{name ?? 'N/A'}</span>
          )}
          {email && (
            <a href={`mailto:${email}`}>
              <EmailText email={email} />
            </a>
          )}
          {phone && <a href={`tel:${phone.replaceAll(' ', '')}`}>{formatPhone(phone)}</a>}
        </Stack>
      </Fact>
      {!order.isHandOver && (
        <Fact term="Shipping Address" breakWords>
          <Row as="span" gap={1} justify="between">
            <span>{addressLine(order)}</span> <CopyButton text={addressLabel(order)} label="Copy address" />
          </Row>
        </Fact>
      )}
      <Fact term="Delivery" breakWords>
        {locker ? (
          <Row as="span" gap={1} justify="between">
            <span>Locker: {locker}</span> <CopyButton text={locker} label="Copy locker" />
          </Row>
        ) : (
          shippingMethodLabel(order.shippingMethod)
        )}
      </Fact>
      {order.notes && (
        <Fact term="From the customer" preLine>
          {order.notes}
        </Fact>
      )}
    </DescriptionList>
  )
}
