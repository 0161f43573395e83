import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { callFunction } from '../../list/call-function.ts'
import formStyles from '../../list/form-dialog.module.css'
import { Failure } from '../../list/resource-list.tsx'
import { MailContent } from './mail-content.tsx'
import styles from './mail-dialog.module.css'

/** How an order is to be shipped. */
export interface Shipment {
  orderId: string
  trackingNumber: string
  courierId: string
}

interface ShippingMail {
  to: string | null
  subject: string
  html: string
  text: string
}

interface Props {
  waybill: Shipment
  isBusy: boolean
  onShip: () => void
  onClose: () => void
}

/** The mail that shipping will send, before it does; and from there, the shipping. */
export function ShippingMailDialog({ waybill, isBusy, onShip, onClose }: Props) {
  const mail = useQuery({
    queryKey: ['shipping-mail', waybill],
    queryFn: () => callFunction<ShippingMail>('preview-shipping-mail', waybill),
  })

  return (
    <Dialog title={mail.data?.subject ?? 'The mail'} isOpen onClose={onClose} className={styles.dialog}>
      <div className={styles.mail}>
        {mail.isPending && <Skeleton height={320} />}
        {mail.isError && <Failure what="The mail" error={mail.error} onRetry={() => void mail.refetch()} />}
        {mail.data && (
          <>
            <p className={styles.head}>
              Not sent yet. It goes to {mail.data.to ?? 'nobody: the order has no address'}.
            </p>
            <MailContent {...mail.data} title={mail.data.subject} />
          </>
        )}
        <div className={formStyles.actions}>
          <Button onClick={onClose}>Back</Button>
          <Button look="action" disabled={isBusy} onClick={onShip}>
            <Send size={18} aria-hidden /> Ship and send it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
