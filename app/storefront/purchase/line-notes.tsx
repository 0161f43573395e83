import { TriangleAlert } from 'lucide-react'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { Button } from '#app/ui/button.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { priceChangeText, problemText, type ShownLine } from '#domain/cart.ts'
import styles from './line-notes.module.css'

/** Decorative: the product's name is beside it. */
export function LinePicture({ imageUrl }: { imageUrl: string | null }) {
  return (
    <div className={styles.picture}>
      {imageUrl && (
        <Picture src={imageUrl} alt="" width={1200} height={1200} sizes="88px" widths={[160, 320]} />
      )}
    </div>
  )
}

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
            <Button look="quiet" onClick={() => void setQuantity(line, problem.changeTo)}>
              Change to {problem.changeTo}
            </Button>
          ) : (
            <Button look="quiet" onClick={() => void remove(line)}>
              Remove
            </Button>
          )}
        </p>
      )}
    </Stack>
  )
}
