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
        label="Low means this many or fewer"
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
        A lure may have a figure of its own, on its page. When a colour falls to it you get one mail, and none
        again until it was above it.
      </p>
    </form>
  )
}
