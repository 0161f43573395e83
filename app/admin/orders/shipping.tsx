import { Mail } from 'lucide-react'
import { useRef, type ClipboardEvent } from 'react'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { useIsPacker } from '../frame/role.ts'
import { NewCourierForm } from './courier-fields.tsx'
import type { Courier } from './couriers.ts'
import { ScanButton } from './scan/scan-button.tsx'
import { ShippingMailDialog } from './shipping-mail-dialog.tsx'
import { usePastedWaybill } from './use-pasted-waybill.ts'
import type { Shipping } from './use-shipping.ts'
import { MAX_WAYBILL_LENGTH, findWaybill } from './waybill.ts'
import { DialogButton } from '../form/dialog-button.tsx'
import { QueryWarning } from '../list/resource-list.tsx'

const NEW_COURIER = 'new'
const GUESSED = 'Guessed from your earlier waybills. Choose another if it is wrong.'
const ASK_FOR_COURIER = 'An admin can add a missing courier.'

/** Courier and tracking number. Only admins can add a courier. */
export function ShippingFields({ shipping }: { shipping: Shipping }) {
  const { couriers, courierId, setCourierId, isGuessed } = shipping
  const isPacker = useIsPacker()
  const isAdding = courierId === NEW_COURIER
  // A shipped order keeps its courier, even if that courier is now archived.
  const isOffered = ({ id, is_archived }: Courier) => !is_archived || id === courierId

  return (
    <>
      <TrackingField shipping={shipping} />
      <QueryWarning query={couriers}>The couriers could not be loaded, so none can be chosen.</QueryWarning>
      <SelectField
        label="Courier Company"
        hint={isGuessed ? GUESSED : isPacker ? ASK_FOR_COURIER : undefined}
        value={courierId}
        onValue={setCourierId}
      >
        <option value="">Select courier company</option>
        {(couriers.data ?? []).filter(isOffered).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {/* The courier may be one of those that have not loaded, and none can be deleted. */}
        {!isPacker && couriers.data && <option value={NEW_COURIER}>+ Create New Courier</option>}
      </SelectField>
      {isAdding && (
        <NewCourierForm
          onAdded={(courier: Courier) => setCourierId(courier.id)}
          onCancel={() => setCourierId('')}
        />
      )}
      {!shipping.isCorrection && <MailPreview shipping={shipping} />}
    </>
  )
}

/** Accepts a typed, pasted or scanned number. */
function TrackingField({ shipping: { trackingNumber, setTrackingNumber } }: { shipping: Shipping }) {
  const container = useRef<HTMLDivElement>(null)
  usePastedWaybill(container, (waybill) => {
    setTrackingNumber(waybill)
    container.current?.scrollIntoView({ block: 'center' })
  })
  // Keeps only the number of a pasted courier message.
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    const waybill = findWaybill(text)
    if (!waybill || waybill === text.trim()) return
    event.preventDefault()
    setTrackingNumber(waybill)
  }

  return (
    <Stack gap={2} ref={container}>
      <TextField
        label="Tracking Number"
        hint="Or paste the courier’s message: we find the number in it."
        value={trackingNumber}
        maxLength={MAX_WAYBILL_LENGTH}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onPaste={paste}
        onValue={setTrackingNumber}
      />
      <div>
        <ScanButton onScanned={setTrackingNumber} />
      </div>
    </Stack>
  )
}

function MailPreview({ shipping: { shipment, isBusy, ship } }: { shipping: Shipping }) {
  return (
    <div>
      <DialogButton
        disabled={!shipment}
        renderDialog={(close) =>
          shipment && <ShippingMailDialog shipment={shipment} isBusy={isBusy} onShip={ship} onClose={close} />
        }
      >
        <Mail size={18} aria-hidden /> Preview e-mail
      </DialogButton>
    </div>
  )
}
