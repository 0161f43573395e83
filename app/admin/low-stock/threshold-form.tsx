import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Hint, Row } from '#app/ui/layout.tsx'
import { useRpcMutation } from '#app/data/use-toast-mutation.ts'

/** Sets the shop's threshold. */
export function ThresholdForm({ threshold }: { threshold: number }) {
  const change = useRpcMutation('set_low_stock_threshold', {
    success: 'Low-stock threshold saved',
    invalidates: ['products'],
  })
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed ?? String(threshold)

  const save = (event: FormEvent) => {
    event.preventDefault()
    // Keeps what the admin typed while the request was running.
    const keepNewer = (now: string | null) => (now === value ? null : now)
    change.mutate({ at_most: Number(value) }, { onSuccess: () => setTyped(keepNewer) })
  }
  return (
    <Row as="form" gap={3} align="end" wrap onSubmit={save}>
      <TextField
        label="Low-stock threshold"
        type="number"
        inputMode="numeric"
        min={0}
        max={1000}
        step={1}
        required
        value={value}
        onValue={setTyped}
      />
      <Button type="submit" disabled={change.isPending || value === String(threshold)}>
        Save
      </Button>
      <Hint style={{ flex: '1 1 280px' }}>
        A colour is low when this many or fewer are available. You can set another threshold on a lure’s page.
        You get one alert per colour, and another only after you have restocked it.
      </Hint>
    </Row>
  )
}
