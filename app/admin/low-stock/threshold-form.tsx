import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/field.tsx'
import { useSetThreshold } from './low-stock.ts'
import styles from './low-stock.module.css'

/** Where low begins for the whole shop; a lure may have its own figure on its page. */
export function ThresholdForm({ threshold }: { threshold: number }) {
  const change = useSetThreshold()
  const [typed, setTyped] = useState<string | null>(null)
  const figure = typed ?? String(threshold)

  const save = (event: FormEvent) => {
    event.preventDefault()
    // Whoever has typed on meanwhile keeps that.
    change.mutate(Number(figure), { onSuccess: () => setTyped((now) => (now === figure ? null : now)) })
  }
  return (
    <form className={styles.threshold} onSubmit={save}>
      <TextField
        label="Low-stock threshold"
        type="number"
        inputMode="numeric"
        min={0}
        max={1000}
        step={1}
        required
        value={figure}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" disabled={change.isPending || figure === String(threshold)}>
        Save
      </Button>
      <p className={styles.explained}>
        Colours with this many or fewer are low. Set another threshold for a lure on its page. You get one
        alert per colour, and another only after you have restocked it.
      </p>
    </form>
  )
}
