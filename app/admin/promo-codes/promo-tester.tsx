import { useMutation } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { DescriptionList, ErrorText, Text } from '#app/ui/layout.tsx'
import { Sum } from '#app/ui/sum.tsx'
import { centsFromRand } from '#domain/money.ts'
import listStyles from '../form/form-dialog.module.css'
import { testPromoCode, type PromoRules, type PromoTestResult } from './promo-code.ts'
import styles from './promo-dialog.module.css'

/** Tests the unsaved code with a sample cart. */
export function PromoTester({ rules }: { rules: PromoRules & { id?: string } }) {
  const [subtotal, setSubtotal] = useState('1500')
  const [customerEmail, setCustomerEmail] = useState('')
  const input = JSON.stringify({ rules, subtotal, customerEmail })
  const test = useMutation({
    mutationFn: async (testedInput: string) => ({
      testedInput,
      result: await testPromoCode(rules, { subtotal: Number(subtotal), customerEmail }),
    }),
  })
  // Hides a stale result when the input has changed.
  const result = test.data?.testedInput === input ? test.data.result : null

  const submit = (event: FormEvent) => {
    event.preventDefault()
    test.mutate(input)
  }

  return (
    <form className={styles.test} onSubmit={submit} data-saves-nothing>
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
          onValue={setSubtotal}
        />
        <TextField
          label="Customer e-mail"
          isOptional
          type="email"
          value={customerEmail}
          onValue={setCustomerEmail}
        />
      </div>
      <Button type="submit" disabled={test.isPending}>
        <FlaskConical size={18} aria-hidden /> Test the code
      </Button>
      <div role="status">
        {test.isError && <ErrorText size="s">The test failed: {test.error.message}</ErrorText>}
        {result && <TestResult result={result} />}
      </div>
    </form>
  )
}

function TestResult({ result }: { result: PromoTestResult }) {
  const sums = [
    { label: 'Subtotal', rand: result.subtotal },
    { label: 'Shipping', rand: result.shipping },
    { label: 'Discount', rand: -result.discount },
    { label: 'Total', rand: result.total },
  ]
  return (
    <>
      <Text tone={result.message ? 'danger' : 'success'} weight={650} size="s">
        {result.message ?? 'The code works for this cart.'}
      </Text>
      <DescriptionList kind="sums" gap={1} size="s" className={styles.sums}>
        {sums.map(({ label, rand }) => (
          <Sum key={label} label={label} cents={centsFromRand(rand)} />
        ))}
      </DescriptionList>
    </>
  )
}
