import type { Factor } from '@supabase/supabase-js'
import { useState } from 'react'
import { addPasskey } from '#app/sign-in/passkey.ts'
import { Button } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { deviceName } from './device.ts'
import { freeName, useRefreshSecondStep } from './factors.ts'

/** Sets up a passkey in the browser's own dialog. */
export function AddPasskey({ factors }: { factors: Factor[] }) {
  const [isBusy, setIsBusy] = useState(false)
  const toast = useToast()
  const refresh = useRefreshSecondStep()

  const add = async () => {
    setIsBusy(true)
    try {
      await addPasskey(freeName(`Passkey, ${deviceName(navigator.userAgent)}`, factors))
      toast({ title: 'Passkey added', description: 'Now keep your recovery codes.' })
    } catch (error) {
      console.error('the passkey was not added', error)
      toast({
        title: 'No passkey was added',
        description: 'Your browser did not make one. You can try again, or use an authenticator app.',
        tone: 'destructive',
      })
    } finally {
      setIsBusy(false)
      await refresh()
    }
  }

  return (
    <Button disabled={isBusy} onClick={() => void add()}>
      {isBusy ? 'Waiting for your device...' : 'Add a passkey'}
    </Button>
  )
}
