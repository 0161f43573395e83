import { addPasskey } from '#app/sign-in/passkey.ts'
import { ProveAgainDialog } from '#app/sign-in/prove-again-dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { failureText } from '#app/data/failure-text.ts'
import { deviceName } from '../../data/device.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { needsProof, SECOND_STEP, unusedName } from './factors.ts'

/** The browser refuses with InvalidStateError when it can reach a passkey that the server excludes. */
const ALREADY_ADDED = 'This device already has a passkey for your account.'
const additionFailure = failureText({
  refused: 'No passkey was added. Try again or use an authenticator app.',
  lost: 'We didn’t get an answer, so the passkey may already be added. Please reload the page.',
})

/** Registers a passkey in the browser's own dialog. */
export function AddPasskey() {
  const adding = useToastMutation({
    mutationFn: async () => addPasskey(await unusedName(`Passkey, ${deviceName(navigator.userAgent)}`)),
    success: () => ({ title: 'Passkey added', description: 'Now save your recovery codes.' }),
    errorText: (error) => (error.name === 'InvalidStateError' ? ALREADY_ADDED : additionFailure(error)),
    isShownByForm: needsProof,
    invalidates: SECOND_STEP,
  })

  return (
    <>
      <Button disabled={adding.isPending} onClick={() => adding.mutate()}>
        {adding.isPending ? 'Loading for your device...' : 'Add a passkey'}
      </Button>
      <ProveAgainDialog
        isOpen={needsProof(adding.error)}
        onProven={() => adding.mutate()}
        onClose={adding.reset}
      />
    </>
  )
}
