import { useState } from 'react'
import { AccountName } from '#app/sign-in/account-name.tsx'
import { provePassword } from '#app/sign-in/prove-password.ts'
import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { ErrorText } from '#app/ui/layout.tsx'
import { useCustomer } from '../account-gate.tsx'

const WORD = 'DELETE'

interface ClosingFormProps {
  asksPassword: boolean
  isBusy: boolean
  problem: string | null
  /** `checkPassword` resolves to an error message, or to null. */
  onConfirm: (checkPassword: () => Promise<string | null>) => void
}

export function ClosingForm({ asksPassword, isBusy, problem, onConfirm }: ClosingFormProps) {
  const { email } = useCustomer()
  const [word, setWord] = useState('')
  const [password, setPassword] = useState('')
  const [wordError, setWordError] = useState<string | null>(null)

  const submit = () => {
    const isConfirmed = word.trim().toUpperCase() === WORD
    setWordError(isConfirmed ? null : `Type ${WORD} to confirm.`)
    if (isConfirmed && !isBusy) onConfirm(() => provePassword(password))
  }

  return (
    <Form gap={4} onSubmit={submit}>
      <TextField
        label={`Type ${WORD}`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        error={wordError}
        value={word}
        onValue={setWord}
      />
      {asksPassword && (
        <>
          <AccountName email={email} />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onValue={setPassword}
          />
        </>
      )}
      <ErrorText role="alert">{problem}</ErrorText>
      <Button type="submit" look="danger" disabled={isBusy}>
        {isBusy ? 'One moment...' : 'Delete my account for good'}
      </Button>
    </Form>
  )
}
