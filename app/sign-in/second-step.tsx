import { useEffect, useState } from 'react'
import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { ErrorText, Row } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import {
  loadFactors,
  verifyWithCode,
  verifyWithPasskey,
  verifyWithRecoveryCode,
  type Factors,
  type VerifyResult,
} from './second-factor.ts'
import styles from './second-step.module.css'

interface SecondStepProps {
  /** Called after the session has aal2 and its subscribers are notified. */
  onProven?: () => void
}

/** Asks for the second factor of the account: a code, a passkey or a recovery code. */
export function SecondStep({ onProven }: SecondStepProps) {
  const [round, setRound] = useState(0)
  return <Asking key={round} onProven={onProven} onAgain={() => setRound(round + 1)} />
}

function Asking({ onProven, onAgain }: SecondStepProps & { onAgain: () => void }) {
  const [factors, setFactors] = useState<Factors | 'failed' | null>(null)

  useEffect(() => {
    const stopped = new AbortController()
    void loadFactors()
      .catch((error: unknown) => {
        console.error('the second factors were not read', error)
        return 'failed' as const
      })
      .then((found) => stopped.signal.aborted || setFactors(found))
    return () => stopped.abort()
  }, [])

  if (factors === null) return <Looking />
  if (factors === 'failed') {
    return (
      <div className={styles.step} role="alert">
        <p>We couldn’t reach the shop. Check your connection.</p>
        <Button look="solid" onClick={onAgain}>
          Try again
        </Button>
      </div>
    )
  }
  return <Ways factors={factors} onProven={onProven} />
}

type Way = 'code' | 'passkey' | 'recovery'

function Ways({ factors, onProven }: SecondStepProps & { factors: Factors }) {
  const [way, setWay] = useState<Way>(factors.totp.length > 0 ? 'code' : 'passkey')
  const [message, setMessage] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  const prove = async (verifying: Promise<VerifyResult>) => {
    setIsBusy(true)
    setMessage(null)
    try {
      const result = await verifying
      if (result.outcome === 'proven') onProven?.()
      else setMessage(result.message)
    } catch (error) {
      console.error('the second factor was not checked', error)
      setMessage('We couldn’t reach the shop. Check your connection and try again.')
    } finally {
      setIsBusy(false)
    }
  }
  const turnTo = (next: Way) => {
    setMessage(null)
    setWay(next)
  }

  return (
    <div className={styles.step}>
      {way === 'code' && (
        <CodeForm
          label="Code"
          hint="The six digits that your authenticator app shows now."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          {...{ message, isBusy }}
          onCode={(code) => void prove(verifyWithCode(factors.totp, code.replaceAll(/\s/g, '')))}
        />
      )}
      {way === 'recovery' && (
        <CodeForm
          label="Recovery code"
          hint="One of the ten that you wrote down. Each works once."
          autoComplete="off"
          maxLength={40}
          {...{ message, isBusy }}
          onCode={(code) => void prove(verifyWithRecoveryCode(code))}
        />
      )}
      {way === 'passkey' && (
        <Passkeys
          factors={factors}
          {...{ message, isBusy }}
          onChoose={(id) => void prove(verifyWithPasskey(id))}
        />
      )}
      <OtherWays factors={factors} way={way} onTurn={turnTo} />
    </div>
  )
}

interface CodeFormProps {
  label: string
  hint: string
  inputMode?: 'numeric'
  autoComplete: string
  maxLength: number
  message: string | null
  isBusy: boolean
  onCode: (code: string) => void
}

function CodeForm({ message, isBusy, onCode, ...field }: CodeFormProps) {
  const [code, setCode] = useState('')
  const submit = () => {
    if (!isBusy && code.trim()) onCode(code)
  }
  return (
    <Form className={styles.step} onSubmit={submit}>
      <TextField
        // The visitor opened this page to type it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        spellCheck={false}
        autoCapitalize="none"
        required
        {...field}
        error={message}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" look="action" size="large" isWide disabled={isBusy}>
        {isBusy ? 'Checking...' : 'Continue'}
      </Button>
    </Form>
  )
}

interface PasskeysProps {
  factors: Factors
  message: string | null
  isBusy: boolean
  onChoose: (factorId: string) => void
}

function Passkeys({ factors, message, isBusy, onChoose }: PasskeysProps) {
  return (
    <>
      {message && (
        <ErrorText size="s" role="alert">
          {message}
        </ErrorText>
      )}
      {factors.passkeys.map(({ id, friendly_name: name }) => (
        <Button key={id} look="solid" size="large" isWide disabled={isBusy} onClick={() => onChoose(id)}>
          {name ? `Use passkey “${name}”` : 'Use my passkey'}
        </Button>
      ))}
    </>
  )
}

interface OtherWaysProps {
  factors: Factors
  way: Way
  onTurn: (way: Way) => void
}

function OtherWays({ factors, way, onTurn }: OtherWaysProps) {
  return (
    <Row gap={1} align="stretch" justify="center" wrap>
      {way !== 'code' && factors.totp.length > 0 && (
        <Button look="quiet" onClick={() => onTurn('code')}>
          Use my authenticator app
        </Button>
      )}
      {way !== 'passkey' && factors.passkeys.length > 0 && (
        <Button look="quiet" onClick={() => onTurn('passkey')}>
          Use my passkey
        </Button>
      )}
      {way !== 'recovery' && (
        <Button look="quiet" onClick={() => onTurn('recovery')}>
          Use a recovery code
        </Button>
      )}
    </Row>
  )
}

function Looking() {
  return (
    <div className={styles.step} aria-busy="true">
      <VisuallyHidden>Looking up your second step</VisuallyHidden>
      <Skeleton height={80} />
      <Skeleton height={56} />
    </div>
  )
}
