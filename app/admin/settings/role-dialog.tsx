import { ProveAgain } from '#app/sign-in/prove-again.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import styles from './settings.module.css'
import { accountProblem, asksForProof, roleWords, useChangeRole, type RoleWish } from './staff.ts'

interface RoleDialogProps {
  wish: RoleWish
  onDone: () => void
  /** The address has no account, or none that is confirmed. */
  onRefused: (problem: string) => void
  onClose: () => void
}

/** Asks whether it is meant and, where the last proof is too long ago, who asks. */
export function RoleDialog({ wish, onDone, onRefused, onClose }: RoleDialogProps) {
  const change = useChangeRole()
  const { title, question, confirm } = roleWords(wish)
  const needsProof = asksForProof(change.error)

  const send = () =>
    change.mutate(wish, {
      onSuccess: onDone,
      onError: (error) => {
        const problem = accountProblem(error)
        if (problem) onRefused(problem)
      },
    })

  return (
    <>
      <ConfirmDialog
        title={title}
        question={question}
        confirm={{
          label: confirm,
          busyLabel: 'Saving...',
          isBusy: change.isPending,
          look: wish.role === 'none' ? 'danger' : 'action',
        }}
        isOpen={!needsProof}
        onConfirm={send}
        onClose={onClose}
      />
      <Dialog title="Is it you?" isOpen={needsProof} onClose={onClose}>
        <div className={styles.proof}>
          <p>You signed in a while ago. Prove once more that it is you.</p>
          {needsProof && <ProveAgain onProven={send} />}
        </div>
      </Dialog>
    </>
  )
}
