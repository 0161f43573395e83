import { Copy } from 'lucide-react'
import { Link } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import { DescriptionList, Row, Stack } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { addressLabel, addressLine, type StaffOrder } from '#domain/order.ts'
import { shippingMethodLabel } from '#domain/shipping-method.ts'
import { formatPhone } from '#domain/south-africa.ts'
import { useIsPacker } from '../frame/role.ts'
import { EmailText } from '../mail/email-text.tsx'
import styles from './order-details.module.css'

/** Customer and delivery; address and locker have a copy button for the courier's form. */
export function OrderCustomer({ order }: { order: StaffOrder }) {
  const isPacker = useIsPacker()
  const { customerName: name, customerEmail: email, customerPhone: phone } = order
  return (
    <DescriptionList
      kind="facts"
      columns="repeat(auto-fit, minmax(220px, 1fr))"
      gap={4}
      columnGap={5}
      className={styles.facts}
    >
      <div>
        <dt>Customer</dt>
        <Stack as="dd" align="start" breakWords>
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
      </div>
      {!order.isHandOver && (
        <div>
          <dt>Shipping Address</dt>
          <Stack as="dd" align="start" breakWords>
            <Copyable text={addressLabel(order)} label="Copy address">
              {addressLine(order)}
            </Copyable>
          </Stack>
        </div>
      )}
      <div>
        <dt>Delivery</dt>
        <Stack as="dd" align="start" breakWords>
          {order.locker ? (
            <Copyable text={order.locker} label="Copy locker">
              Locker: {order.locker}
            </Copyable>
          ) : (
            <span>{shippingMethodLabel(order.shippingMethod)}</span>
          )}
        </Stack>
      </div>
      {order.notes && (
        <div>
          <dt>From the customer</dt>
          <dd className={styles.notes}>{order.notes}</dd>
        </div>
      )}
    </DescriptionList>
  )
}

function Copyable({ text, label, children }: { text: string; label: string; children: React.ReactNode }) {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast({ title: 'Copied' })
    } catch {
      toast({
        title: 'Error',
        description: 'Your browser blocked copying. Select the text instead.',
        tone: 'destructive',
      })
    }
  }
  return (
    <Row as="span" gap={1} justify="between" className={styles.copyable}>
      <span>{children}</span>
      <IconButton label={label} onClick={() => void copy()}>
        <Copy size={18} aria-hidden />
      </IconButton>
    </Row>
  )
}
