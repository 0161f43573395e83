import { useState, type FormEvent } from 'react'
import { TextArea } from '#app/ui/field.tsx'
import { FormActions } from '../list/form-actions.tsx'
import { FormDialog } from '../list/form-dialog.tsx'
import styles from '../list/form-dialog.module.css'
import { SettledMeanwhile } from './settled-meanwhile.tsx'
import { useResolveConcern, type Concern } from './concern.ts'
import { concernWords } from './concern-words.ts'

const TOO_SHORT = 'Please say in a few words what you did'

export function ResolveDialog({ concern, onClose }: { concern: Concern; onClose: () => void }) {
  const resolve = useResolveConcern(concern.id)
  const [note, setNote] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isShort = note.trim().length < 3

  const save = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (!isShort) resolve.mutate(note.trim(), { onSuccess: onClose })
  }

  return (
    <FormDialog title={concernWords(concern).title} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={save}>
        <p>It leaves the list. No money moves; your note stays with it for good.</p>
        <TextArea
          label="What you did about it"
          value={note}
          maxLength={500}
          error={isTried && isShort ? TOO_SHORT : null}
          onChange={(event) => setNote(event.target.value)}
        />
        {resolve.isError && <SettledMeanwhile gone={[concern]} />}
        <FormActions label="Settle" isBusy={resolve.isPending} onCancel={onClose} />
      </form>
    </FormDialog>
  )
}
