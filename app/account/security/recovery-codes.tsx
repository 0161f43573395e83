import { ProveAgainDialog } from '#app/sign-in/prove-again-dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Grid, Row, Stack } from '#app/ui/layout.tsx'
import { useCopy } from '#app/ui/use-copy.ts'
import { shop } from '#shop'
import { LoadError } from '../load-error.tsx'
import { saveFile } from '../save-file.ts'
import { needsProof, useRecoveryCodesLeft, useReplaceRecoveryCodes } from './factors.ts'
import styles from './security.module.css'

/** Shows the number of unused recovery codes and creates a new set. */
export function RecoveryCodes() {
  const left = useRecoveryCodesLeft()
  const creation = useReplaceRecoveryCodes()
  const remaining = left.data

  return (
    <>
      <p>
        <strong>Recovery codes.</strong> {remaining !== undefined && describe(remaining)}
      </p>
      <LoadError what="How many you have left could not be loaded." query={left} />
      <Button
        place="start"
        disabled={creation.isPending || remaining === undefined}
        onClick={() => creation.mutate()}
      >
        {remaining ? 'Create new recovery codes' : 'Get recovery codes'}
      </Button>
      <ProveAgainDialog
        isOpen={needsProof(creation.error)}
        onProven={() => creation.mutate()}
        onClose={creation.reset}
      />
      {/* Open from the press: new codes that appear on no page would replace those that are kept. */}
      <Dialog
        title="Recovery codes"
        width={488}
        isOpen={creation.isPending || creation.isSuccess}
        isBusy={creation.isPending}
        onClose={creation.reset}
      >
        {creation.isPending && <p role="status">Creating your codes...</p>}
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
  const { isCopied, copy } = useCopy()
  const text = codes.join('\n')
  const save = () =>
    saveFile({
      name: `${shop.name.toLowerCase()}-recovery-codes.txt`,
      type: 'text/plain',
      content: `${shop.name} recovery codes. Each works once.\n\n${text}\n`,
    })

  return (
    <Stack gap={4}>
      <p>
        Keep these somewhere safe, away from your phone. We show them only once, and older codes no longer
        work.
      </p>
      <Grid
        as="ul"
        columns="repeat(auto-fit, minmax(190px, 1fr))"
        gap={2}
        columnGap={4}
        className={styles.codes}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Grid>
      <Row gap={3} align="stretch" wrap>
        {/* Without access to the clipboard the codes remain visible and can be saved as a file. */}
        <Button onClick={() => void copy(text).catch(console.error)}>{isCopied ? 'Copied' : 'Copy'}</Button>
        <Button onClick={save}>Save as a file</Button>
        <Button look="solid" onClick={onSaved}>
          I’ve saved them
        </Button>
      </Row>
    </Stack>
  )
}
