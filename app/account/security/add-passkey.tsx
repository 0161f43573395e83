import type { Factor } from '@supabase/supabase-js'
import { addPasskey } from '#app/sign-in/passkey.ts'
import { Button } from '#app/ui/button.tsx'
import { deviceName } from '../../data/device.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { SECOND_STEP, uniqueName } from './factors.ts'

/** The browser refuses with InvalidStateError when it can reach a passkey that the server excludes. */
const ALREADY_ADDED = 'This device already has a passkey for your account.'
const NOT_CREATED = 'Your browser didn’t create one. Try again or use an authenticator app.'

/** Registers a passkey in the browser's own dialog. */
export function AddPasskey({ factors }: { factors: Factor[] }) {
  const adding = useToastMutation({
    mutationFn: () => addPasskey(uniqueName(`Passkey, ${deviceName(navigator.userAgent)}`, factors)),
    success: () => ({ title: 'Passkey added', description: 'Now save your recovery codes.' }),
    errorTitle: 'No passkey was added',
    errorText: (error) => (error.name === 'InvalidStateError' ? ALREADY_ADDED : NOT_CREATED),
    invalidates: SECOND_STEP,
  })

  return (
    <Button disabled={adding.isPending} onClick={() => adding.mutate()}>
      {adding.isPending ? 'Loading for your device...' : 'Add a passkey'}
    </Button>
  )
}
