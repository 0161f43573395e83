import { useMutation } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/field.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import listStyles from '../list/form-dialog.module.css'
import { askForTrial, type PromoRules, type Trial } from './promo-code.ts'
import styles from './promo-dialog.module.css'

/** What would this cart get? Asked of the shop's own rules, with the code as it stands in the form. */
export function PromoTrial({ rules }: { rules: PromoRules & { id?: string } }) {
  const [subtotal, setSubtotal] = useState('1500')
  const [customerEmail, setCustomerEmail] = useState('')
  const question = JSON.stringify({ rules, subtotal, customerEmail })
  const trial = useMutation({
    mutationFn: async (asked: string) => ({
      asked,
      answer: await askForTrial(rules, { subtotal: Number(subtotal), customerEmail }),
    }),
  })
  // What was answered before something was changed is not an answer any more.
  const answer = trial.data?.asked === question ? trial.data.answer : null

  const tryIt = (event: FormEvent) => {
    event.preventDefault()
    trial.mutate(question)
  }

  return (
    <form className={styles.trial} onSubmit={tryIt} data-saves-nothing>
      <h3>Test</h3>
      <div className={listStyles.pair}>
        <TextField
          label="Cart total (R)"
          type="number"
          inputMode="decimal"
          required
          min="0"
          max="1000000"
          step="0.01"
          value={subtotal}
          onChange={(event) => setSubtotal(event.target.value)}
        />
        <TextField
          label="Customer e-mail"
          isOptional
          type="email"
          value={customerEmail}
          onChange={(event) => setCustomerEmail(event.target.value)}
        />
      </div>
      <Button type="submit" disabled={trial.isPending}>
        <FlaskConical size={18} aria-hidden /> Test the code
      </Button>
      <div role="status">
        {trial.isError && <p className={listStyles.error}>It could not be tried: {trial.error.message}</p>}
        {answer && <Answer trial={answer} />}
      </div>
    </form>
  )
}

function Answer({ trial }: { trial: Trial }) {
  const figures = [
    { label: 'Subtotal', rand: trial.subtotal },
    { label: 'Shipping', rand: trial.shipping },
    { label: 'Discount', rand: trial.discount, sign: '−' },
    { label: 'Total', rand: trial.total },
  ]
  return (
    <>
      <p className={trial.message ? styles.refused : styles.holds}>
        {trial.message ?? 'The code works for this cart.'}
      </p>
      <dl className={styles.sums}>
        {figures.map(({ label, rand, sign }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {rand > 0 && sign}
              <Price cents={centsFromRand(rand)} as="total" />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
