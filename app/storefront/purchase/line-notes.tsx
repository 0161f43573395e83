import { TriangleAlert } from 'lucide-react'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { Button } from '#app/ui/button.tsx'
import { Panel, Stack } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { Price } from '#app/ui/price.tsx'
import { isOrderable, type ShownLine } from '#domain/cart.ts'
import { priceChangeText, problemText } from '#domain/cart-texts.ts'
import { lineTotalCents } from '#domain/pricing.ts'
import styles from './line-notes.module.css'

/** Decorative: the product's name is beside it. */
export function LinePicture({ imageUrl }: { imageUrl: string | null }) {
  return (
    <div className={styles.picture}>
      {imageUrl && (
        <Picture src={imageUrl} alt="" width={1200} height={1200} sizes="88px" widths={[160, 320]} fills />
      )}
    </div>
  )
}

/** What the line adds to the total; crossed out when it cannot be ordered. */
export function LineTotal({ line, size }: { line: ShownLine; size?: 'l' }) {
  return (
    <Price
      as="total"
      cents={lineTotalCents(line)}
      size={size}
      className={isOrderable(line) ? undefined : styles.uncounted}
    />
  )
}

interface LineNotesProps {
  line: ShownLine
  /** Called when the button is pressed, which disappears with its note: the owner moves the focus. */
  onFix: () => void
}

/** Shows price changes and problems of a line, with the button that fixes them. */
export function LineNotes({ line, onFix }: LineNotesProps) {
  const { setQuantity, remove } = useCart()
  const { problem, previousPriceCents } = line
  if (!problem && previousPriceCents === null) return null

  return (
    <Stack gap={1} size="s" className={styles.notes} aria-live="polite">
      {previousPriceCents !== null && (
        <Panel as="p" kind="warning" tone="warning" weight={550}>
          <TriangleAlert size={16} aria-hidden />
          <span>{priceChangeText(previousPriceCents, line.priceCents)}</span>
        </Panel>
      )}
      {problem && (
        <Panel as="p" kind="danger" tone="danger" weight={550}>
          <TriangleAlert size={16} aria-hidden />
          <span>{problemText(problem, line.quantity)}</span>
          {problem.kind === 'too-many' && problem.changeTo > 0 ? (
            <Button
              look="quiet"
              onClick={() => {
                onFix()
                void setQuantity(line, problem.changeTo)
              }}
            >
              Change to {problem.changeTo}
            </Button>
          ) : (
            <Button
              look="quiet"
              onClick={() => {
                onFix()
                void remove(line)
              }}
            >
              Remove
            </Button>
          )}
        </Panel>
      )}
    </Stack>
  )
}
