import { useState } from 'react'
import type { SecondFactor } from '#app/data/stored-session.ts'
import { Button } from '#app/ui/button.tsx'
import { SelectField } from '#app/ui/form/field.tsx'
import { Problem, Row, Stack } from '#app/ui/layout.tsx'
import { SecretForm } from './secret-form.tsx'
import { verifyWithCode, verifyWithPasskey, verifyWithRecoveryCode } from './second-factor.ts'
import { useAttempt } from './use-attempt.ts'

type Way = 'code' | 'passkey' | 'recovery'

interface SecondStepProps {
  /** The account's verified factors. */
  factors: SecondFactor[]
  /** Called after the session has aal2 and its subscribers are notified. */
  onProven?: () => void
}

/** Asks for the second factor of the account: a code, a passkey or a recovery code. */
export function SecondStep({ factors, onProven }: SecondStepProps) {
  const apps = factors.filter(({ factor_type: type }) => type === 'totp')
  const passkeys = factors.filter(({ factor_type: type }) => type === 'webauthn')
  const [appId, setAppId] = useState(apps[0]?.id ?? '')
  const [way, setWay] = useState<Way>(apps.length > 0 ? 'code' : 'passkey')
  const { problem, isBusy, attempt, clearProblem } = useAttempt()
  const prove = async (verify: () => Promise<string | null>) => {
    if (await attempt(verify)) onProven?.()
  }
  const selectApp = (id: string) => {
    clearProblem()
    setAppId(id)
  }
  const linkTo = (next: Way, label: string) => (
    <Button
      look="quiet"
      onClick={() => {
        clearProblem()
        setWay(next)
      }}
    >
      {label}
    </Button>
  )

  return (
    <Stack gap={4}>
      {way === 'code' && (
        <SecretForm
          label="Code"
          hint="The six digits that your authenticator app shows now."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          {...{ problem, isBusy }}
          onSecret={(code) => void prove(() => verifyWithCode(appId, code))}
        >
          {apps.length > 1 && (
            <SelectField label="Authenticator app" value={appId} onValue={selectApp}>
              {apps.map(({ id, friendly_name: name }) => (
                <option key={id} value={id}>
                  {name || 'Authenticator app'}
                </option>
              ))}
            </SelectField>
          )}
        </SecretForm>
      )}
      {way === 'recovery' && (
        <SecretForm
          label="Recovery code"
          hint="One of the ten that you wrote down. Each works once."
          autoComplete="off"
          maxLength={40}
          {...{ problem, isBusy }}
          onSecret={(code) => void prove(() => verifyWithRecoveryCode(code))}
        />
      )}
      {way === 'passkey' && <Problem>{problem}</Problem>}
      {way === 'passkey' &&
        passkeys.map(({ id, friendly_name: name }) => (
          <Button
            key={id}
            look="solid"
            size="large"
            isWide
            disabled={isBusy}
            onClick={() => void prove(() => verifyWithPasskey(id))}
          >
            {name ? `Use passkey “${name}”` : 'Use my passkey'}
          </Button>
        ))}
      <Row gap={1} align="stretch" justify="center" wrap>
        {way !== 'code' && apps.length > 0 && linkTo('code', 'Use my authenticator app')}
        {way !== 'passkey' && passkeys.length > 0 && linkTo('passkey', 'Use my passkey')}
        {way !== 'recovery' && linkTo('recovery', 'Use a recovery code')}
      </Row>
    </Stack>
  )
}
