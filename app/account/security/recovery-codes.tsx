import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { shop } from '#shop'
import { saveFile } from '../save-file.ts'
import { makeRecoveryCodes, useRecoveryCodesLeft, useRefreshSecondStep } from './factors.ts'
import styles from './security.module.css'

/** How many are left, and a new set: for the day the phone lies at the bottom of the sea. */
export function RecoveryCodes() {
  const left = useRecoveryCodesLeft()
  const [codes, setCodes] = useState<string[] | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const toast = useToast()
  const refresh = useRefreshSecondStep()
  const remaining = left.data?.remaining ?? 0

  const make = async () => {
    setIsBusy(true)
    try {
      setCodes(await makeRecoveryCodes())
      await refresh()
    } catch (error) {
      console.error('no recovery codes were made', error)
      toast({ title: 'Error', description: 'No codes were made. Please try again.', tone: 'destructive' })
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <>
      <p>
        <strong>Recovery codes.</strong> {describe(remaining)}
      </p>
      <Button className={styles.start} disabled={isBusy || left.isPending} onClick={() => void make()}>
        {remaining > 0 ? 'Make new recovery codes' : 'Get recovery codes'}
      </Button>
      <Dialog title="Recovery codes" isOpen={codes !== null} onClose={() => setCodes(null)}>
        {codes && <Codes codes={codes} onKept={() => setCodes(null)} />}
      </Dialog>
    </>
  )
}

function describe(remaining: number): string {
  if (remaining === 0)
    return 'You have none. They let you in when your phone or key is lost; without them we cannot.'
  return `${remaining} of 10 are left. Each lets you in once when your phone or key is lost.`
}

function Codes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const [isCopied, setIsCopied] = useState(false)
  const text = codes.join('\n')

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setIsCopied(true)
    } catch (error) {
      // Not allowed here: the codes stand on the screen, and go into a file.
      console.error('the codes were not copied', error)
    }
  }
  const save = () =>
    saveFile({
      name: `${shop.name.toLowerCase()}-recovery-codes.txt`,
      type: 'text/plain',
      content: `${shop.name} recovery codes. Each works once.\n\n${text}\n`,
    })

  return (
    <div className={styles.enrol}>
      <p>
        Keep these somewhere safe, away from your phone. They are shown this once; older ones no longer work.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button onClick={() => void copy()}>{isCopied ? 'Copied' : 'Copy'}</Button>
        <Button onClick={save}>Save as a file</Button>
        <Button look="solid" onClick={onKept}>
          I have kept them
        </Button>
      </div>
    </div>
  )
}
