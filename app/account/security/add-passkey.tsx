import type { Factor } from '@supabase/supabase-js'
import { useState } from 'react'
import { addPasskey } from '#app/sign-in/passkey.ts'
import { Button } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { deviceName } from '../../data/device.ts'
import { uniqueName, useRefreshSecondStep } from './factors.ts'

/** Registers a passkey in the browser's own dialog. */
export function AddPasskey({ factors }: { factors: Factor[] }) {
  const [isBusy, setIsBusy] = useState(false)
  const toast = useToast()
  const refresh = useRefreshSecondStep()

  const add = async () => {
    setIsBusy(true)
    try {
      await addPasskey(uniqueName(`Passkey, ${deviceName(navigator.userAgent)}`, factors))
      toast({ title: 'Passkey added', description: 'Now save your recovery codes.' })
    } catch (error) {
      console.error('the passkey was not added', error)
      toast({
        title: 'No passkey was added',
        description: 'Your browser didn’t create one. Try again or use an authenticator app.',
        tone: 'destructive',
      })
    } finally {
      setIsBusy(false)
      await refresh()
    }
  }

  return (
    <Button disabled={isBusy} onClick={() => void add()}>
      {isBusy ? 'Loading for your device...' : 'Add a passkey'}
    </Button>
  )
}
