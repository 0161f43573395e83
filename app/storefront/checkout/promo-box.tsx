import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useShippingTerms } from '#app/storefront/catalogue/shipping-terms.ts'
import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Row, Text } from '#app/ui/layout.tsx'
import { savedText } from './promo.ts'
import styles from './promo-box.module.css'
import type { PromoEntry } from './use-promo.ts'

/** Collapsed until the buyer has a code. */
export function PromoBox({ entry, subtotalCents }: { entry: PromoEntry; subtotalCents: number }) {
  const rates = useShippingTerms()
  const [isExpanded, setIsExpanded] = useState(entry.typed !== '')
  const [isEntered, setIsEntered] = useState(false)

  if (entry.applied) {
    const text = entry.error ?? savedText(entry.applied, { subtotalCents, rates })
    return (
      <Applied code={entry.applied.code} movesFocus={isEntered} onRemove={entry.remove}>
        <Text as="span" tone={entry.error ? 'danger' : 'success'}>
          {text}
        </Text>
      </Applied>
    )
  }
  if (!isExpanded && !entry.error) {
    return (
      <Button look="quiet" place="flush" onClick={() => setIsExpanded(true)}>
        I have a promo code
      </Button>
    )
  }
  return (
    <Form
      gap={2}
      className={styles.form}
      onSubmit={() => {
        setIsEntered(true)
        entry.apply()
      }}
    >
      <TextField
        label="Promo Code"
        name="promo_code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        // The buyer has just asked for the empty field, or removed a code.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={entry.typed === ''}
        value={entry.typed}
        error={entry.error}
        onValue={entry.type}
      />
      <Button type="submit" disabled={entry.isBusy}>
        {entry.isBusy ? 'Applying...' : 'Apply'}
      </Button>
    </Form>
  )
}

interface AppliedProps {
  code: string
  /** The buyer has entered the code on this page. */
  movesFocus: boolean
  onRemove: () => void
  children: ReactNode
}

function Applied({ code, movesFocus, onRemove, children }: AppliedProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // A buyer who has moved on while the code was checked stays there.
    if (movesFocus && document.activeElement === document.body) button.current?.focus()
  }, [movesFocus])

  return (
    <Row gap={3} justify="between" tone="success" size="s" className={styles.applied}>
      <p>
        <strong>{code}</strong> {children}
      </p>
      <Button ref={button} look="quiet" onClick={onRemove}>
        Remove
      </Button>
    </Row>
  )
}
