import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Row } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { saveFile } from '../save-file.ts'
import { useRecoveryCodesLeft, useReplaceRecoveryCodes } from './factors.ts'
import styles from './security.module.css'

/** Shows the number of unused recovery codes and creates a new set. */
export function RecoveryCodes() {
  const left = useRecoveryCodesLeft()
  const creation = useReplaceRecoveryCodes()
  const remaining = left.data ?? 0

  return (
    <>
      <p>
        <strong>Recovery codes.</strong> {describe(remaining)}
      </p>
      <Button
        className={styles.start}
        disabled={creation.isPending || left.isPending}
        onClick={() => creation.mutate()}
      >
        {remaining > 0 ? 'Create new recovery codes' : 'Get recovery codes'}
      </Button>
      <Dialog title="Recovery codes" isOpen={creation.isSuccess} onClose={creation.reset}>
        {creation.data && <Codes codes={creation.data} onSaved={creation.reset} />}
      </Dialog>
    </>
  )
}

function describe(remaining: number): string {
  if (remaining === 0)
    return 'You have none. They let you sign in if you lose your phone or key. Without them, we can’t restore your access.'
  return `${remaining} of 10 are left. Each lets you sign in once if you lose your phone or key.`
}

function Codes({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const [isCopied, setIsCopied] = useState(false)
  const text = codes.join('\n')

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setIsCopied(true)
    } catch (error) {
      // The browser may deny clipboard access; the codes remain visible and can be saved as a file.
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
        Keep these somewhere safe, away from your phone. We show them only once, and older codes no longer
        work.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Row gap={3} align="stretch" wrap>
        <Button onClick={() => void copy()}>{isCopied ? 'Copied' : 'Copy'}</Button>
        <Button onClick={save}>Save as a file</Button>
        <Button look="solid" onClick={onSaved}>
          I’ve saved them
        </Button>
      </Row>
    </div>
  )
}
