import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { invalidateSubjects } from '#app/data/query-keys.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { ProveAgainDialog } from '#app/sign-in/prove-again-dialog.tsx'
import { verifyFirstCode } from '#app/sign-in/second-factor.ts'
import { SecretForm } from '#app/sign-in/secret-form.tsx'
import { unenrolUnfinished } from '#app/sign-in/unenrol-unfinished.ts'
import { useAttempt } from '#app/sign-in/use-attempt.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Text } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { shop } from '#shop'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { needsProof, SECOND_STEP, unusedName } from './factors.ts'
import styles from './security.module.css'

interface Enrolment {
  factorId: string
  qrCode: string
  secret: string
}

/** Enrols an authenticator app: shows its key as QR code and text, then verifies a first code. */
export function AddAuthenticator() {
  const toast = useToast()
  const queries = useQueryClient()
  /** The removal of an app whose setting up was abandoned. */
  const removal = useRef<Promise<void>>(undefined)
  const enrolling = useToastMutation({
    mutationFn: async () => {
      // Until then that app has the name.
      await removal.current
      return enrol(await unusedName('Authenticator app'))
    },
    errorText: 'It could not be set up. Please try again.',
    isShownByForm: needsProof,
    invalidates: [],
  })
  const enrolment = enrolling.data
  const [uncertainId, setUncertainId] = useState<string | null>(null)
  const { attempt, clearProblem, ...form } = useAttempt()
  const reload = () => void invalidateSubjects(queries, SECOND_STEP)
  const add = () => enrolling.mutate()
  const close = () => {
    clearProblem()
    enrolling.reset()
  }
  const verify = async ({ factorId }: Enrolment, code: string) => {
    const work = () =>
      verifyFirstCode(factorId, code).catch((error: unknown) => {
        setUncertainId(factorId)
        throw error
      })
    if (!(await attempt(work))) return
    close()
    reload()
    toast({ title: 'Authenticator app added', description: 'Now save your recovery codes.' })
  }
  const abandon = () => {
    close()
    if (!enrolment) return
    // After a lost answer the app may be verified, and its removal would lower the session.
    if (enrolment.factorId === uncertainId) reload()
    else removal.current = unenrolUnfinished(enrolment.factorId)
  }

  return (
    <>
      <Button look="solid" disabled={enrolling.isPending} onClick={add}>
        Add an authenticator app
      </Button>
      <ProveAgainDialog isOpen={needsProof(enrolling.error)} onProven={add} onClose={enrolling.reset} />
      <Dialog
        title="Authenticator app"
        width={488}
        isOpen={enrolling.isSuccess}
        isBusy={form.isBusy}
        onClose={abandon}
      >
        {enrolment && (
          <FirstCode {...form} enrolment={enrolment} onCode={(code) => void verify(enrolment, code)} />
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

interface FirstCodeProps {
  enrolment: Enrolment
  problem: string | null
  isBusy: boolean
  onCode: (code: string) => void
}

function FirstCode({ enrolment, problem, isBusy, onCode }: FirstCodeProps) {
  return (
    <SecretForm
      label="Code"
      hint="The six digits in the app."
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      action="Turn it on"
      {...{ problem, isBusy }}
      onSecret={onCode}
    >
      <p>Scan this with an app such as Google Authenticator, Microsoft Authenticator or 1Password.</p>
      <img
        className={styles.code}
        src={enrolment.qrCode}
        alt="Your key as a QR code"
        width={200}
        height={200}
      />
      <p>No camera at hand? Type this key into the app:</p>
      <Text breakWords className={styles.secret}>
        {inGroups(enrolment.secret)}
      </Text>
    </SecretForm>
  )
}

function inGroups(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ')
}
