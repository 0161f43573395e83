import type { Factor } from '@supabase/supabase-js'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidateSubjects } from '#app/data/query-keys.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { verifyWithCode } from '#app/sign-in/second-factor.ts'
import { useAttempt } from '#app/sign-in/use-attempt.ts'
import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { shop } from '#shop'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { SECOND_STEP, uniqueName } from './factors.ts'
import styles from './security.module.css'

interface Enrolment {
  factorId: string
  qrCode: string
  secret: string
}

/** Enrols an authenticator app: shows its key as QR code and text, then verifies a first code. */
export function AddAuthenticator({ factors }: { factors: Factor[] }) {
  const toast = useToast()
  const queries = useQueryClient()
  const enrolling = useToastMutation({
    mutationFn: () => enrol(uniqueName('Authenticator app', factors)),
    errorText: 'It could not be set up. Please try again.',
    invalidates: [],
  })
  const enrolment = enrolling.data
  const close = () => {
    enrolling.reset()
    void invalidateSubjects(queries, SECOND_STEP)
  }
  const abandon = () => {
    if (enrolment) void unenrol(enrolment.factorId)
    close()
  }

  return (
    <>
      <Button look="solid" disabled={enrolling.isPending} onClick={() => enrolling.mutate()}>
        Add an authenticator app
      </Button>
      <Dialog title="Authenticator app" isOpen={enrolling.isSuccess} onClose={abandon}>
        {enrolment && (
          <FirstCode
            enrolment={enrolment}
            onProven={() => {
              close()
              toast({ title: 'Authenticator app added', description: 'Now save your recovery codes.' })
            }}
          />
        )}
      </Dialog>
    </>
  )
}

async function enrol(friendlyName: string): Promise<Enrolment> {
  const data = await queryBackend(({ auth }) =>
    auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer: shop.name }),
  )
  return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
}

/** An unfinished enrolment expires by itself, so a failure is only logged. */
async function unenrol(factorId: string): Promise<void> {
  try {
    await queryBackend(({ auth }) => auth.mfa.unenroll({ factorId }))
  } catch (error) {
    console.error('the unfinished authenticator app was not removed', error)
  }
}

function FirstCode({ enrolment, onProven }: { enrolment: Enrolment; onProven: () => void }) {
  const [code, setCode] = useState('')
  const { problem, isBusy, attempt } = useAttempt()
  const verify = async () => {
    if (await attempt(() => verifyWithCode([enrolment.factorId], code))) onProven()
  }

  return (
    <Form className={styles.enrol} onSubmit={() => code.trim() && void verify()}>
      <p>Scan this with an app such as Google Authenticator, Microsoft Authenticator or 1Password.</p>
      <img
        className={styles.code}
        src={enrolment.qrCode}
        alt="Your key as a QR code"
        width={200}
        height={200}
      />
      <p>No camera at hand? Type this key into the app:</p>
      <p className={styles.secret}>{inGroups(enrolment.secret)}</p>
      <TextField
        label="Code"
        hint="The six digits in the app."
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
        error={problem}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" look="action" size="large" isWide disabled={isBusy}>
        {isBusy ? 'Checking...' : 'Turn it on'}
      </Button>
    </Form>
  )
}

function inGroups(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ')
}
