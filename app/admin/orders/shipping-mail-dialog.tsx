import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { callFunction } from '#app/data/query-backend.ts'
import { QueryFailure } from '../list/resource-list.tsx'
import { MailContent } from '../mail/mail-content.tsx'
import { DialogActions } from '../form/form-actions.tsx'

interface Shipment {
  orderId: string
  trackingNumber: string
  courierId: string
}

interface Props {
  shipment: Shipment
  isBusy: boolean
  onShip: () => void
  onClose: () => void
}

/** Previews the mail that shipping sends, with a button that ships the order. */
export function ShippingMailDialog({ shipment, isBusy, onShip, onClose }: Props) {
  const mail = useQuery({
    queryKey: ['shipping-mail', shipment],
    queryFn: () => callFunction('preview-shipping-mail', shipment),
  })

  return (
    <Dialog title={mail.data?.subject ?? 'E-mail preview'} isOpen onClose={onClose} size="l">
      <Stack gap={3}>
        {mail.isPending && <Skeleton height={320} />}
        <QueryFailure what="The e-mail" query={mail} />
        {mail.data && (
          <>
            <Row as="p" gap={2} columnGap={3} wrap tone="muted" size="s" breakWords>
              Not sent yet. {mail.data.to ? `To ${mail.data.to}.` : 'This order has no e-mail address.'}
            </Row>
            <MailContent {...mail.data} title={mail.data.subject} />
          </>
        )}
        <DialogActions>
          <Button onClick={onClose}>Back</Button>
          <Button look="action" disabled={isBusy} onClick={onShip}>
            <Send size={18} aria-hidden /> Ship and send
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
