import { useState } from 'react'
import { useShippingTerms } from '#app/storefront/catalogue/shipping-terms.ts'
import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { savedText } from './promo.ts'
import styles from './promo-box.module.css'
import type { PromoEntry } from './use-promo.ts'

/** Collapsed until the buyer has a code. */
export function PromoBox({ entry, subtotalCents }: { entry: PromoEntry; subtotalCents: number }) {
  const rates = useShippingTerms()
  const [isExpanded, setIsExpanded] = useState(entry.typed !== '')

  if (entry.applied) {
    return (
      <Row gap={3} justify="between" tone="success" size="s" className={styles.applied}>
        <p>
          <strong>{entry.applied.code}</strong>{' '}
          <span className={entry.error ? styles.uncounted : undefined}>
            {entry.error ?? savedText(entry.applied, { subtotalCents, rates })}
          </span>
        </p>
        <Button look="quiet" onClick={entry.remove}>
          Remove
        </Button>
      </Row>
    )
  }
  if (!isExpanded && !entry.error) {
    return (
      <Button look="quiet" className={styles.ask} onClick={() => setIsExpanded(true)}>
        I have a promo code
      </Button>
    )
  }
  return (
    <Form className={styles.form} onSubmit={entry.apply}>
      <TextField
        label="Promo Code"
        name="promo_code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={entry.typed}
        error={entry.error}
        onChange={(event) => entry.type(event.currentTarget.value)}
      />
      <Button type="submit" disabled={entry.isBusy}>
        {entry.isBusy ? 'Applying...' : 'Apply'}
      </Button>
    </Form>
  )
}
