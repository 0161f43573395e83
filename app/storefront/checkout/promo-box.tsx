import { useState } from 'react'
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

  if (entry.applied) {
    return (
      <Row gap={3} justify="between" tone="success" size="s" className={styles.applied}>
        <p>
          <strong>{entry.applied.code}</strong>{' '}
          <Text as="span" tone={entry.error ? 'danger' : 'success'}>
            {entry.error ?? savedText(entry.applied, { subtotalCents, rates })}
          </Text>
        </p>
        <Button look="quiet" onClick={entry.remove}>
          Remove
        </Button>
      </Row>
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
    <Form gap={2} className={styles.form} onSubmit={entry.apply}>
      <TextField
        label="Promo Code"
        name="promo_code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
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
