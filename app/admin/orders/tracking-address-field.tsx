import { TextField } from '#app/ui/form/field.tsx'
import { trackingUrlError } from '#domain/tracking.ts'

/** The courier's tracking page; mails, the order and the customer's account link to it. */
export function TrackingAddressField({ value, onType }: { value: string; onType: (value: string) => void }) {
  return (
    <TextField
      label="Tracking URL"
      isOptional
      type="url"
      inputMode="url"
      hint="With {number} where the tracking number goes: https://courier.example/track?ref={number}"
      value={value}
      error={trackingUrlError(value.trim())}
      maxLength={2048}
      autoComplete="off"
      spellCheck={false}
      onValue={onType}
    />
  )
}
