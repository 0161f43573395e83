import { TriangleAlert } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { useCart, type ShownLine } from './cart-context.ts'
import styles from './line-notes.module.css'
import { priceChangeText, problemText } from './line-texts.ts'

/** Shows price changes and problems of a line, with the button that fixes them. */
export function LineNotes({ line }: { line: ShownLine }) {
  const { setQuantity, remove } = useCart()
  const { problem, previousPriceCents } = line
  if (!problem && previousPriceCents === null) return null

  return (
    <Stack gap={1} size="s" className={styles.notes} aria-live="polite">
      {previousPriceCents !== null && (
        <p>
          <TriangleAlert size={16} aria-hidden />
          <span>{priceChangeText(previousPriceCents, line.priceCents)}</span>
        </p>
      )}
      {problem && (
        <p className={styles.problem}>
          <TriangleAlert size={16} aria-hidden />
          <span>{problemText(problem, line.quantity)}</span>
          {problem.kind === 'too-many' && problem.changeTo > 0 ? (
            <Button look="quiet" onClick={() => void setQuantity(line.id, problem.changeTo)}>
              Change to {problem.changeTo}
            </Button>
          ) : (
            <Button look="quiet" onClick={() => void remove(line.id)}>
              Remove
            </Button>
          )}
        </p>
      )}
    </Stack>
  )
}
