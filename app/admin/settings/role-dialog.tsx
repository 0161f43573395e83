import { ProveAgainDialog } from '#app/sign-in/prove-again-dialog.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import {
  accountProblem,
  requiresReauthentication,
  roleTexts,
  useChangeRole,
  type RoleChange,
} from './staff.ts'

interface RoleDialogProps {
  roleChange: RoleChange
  onDone: () => void
  /** The address has no confirmed account. */
  onRejected: (problem: string) => void
  onClose: () => void
}

/** Asks for confirmation and, if the last sign-in is too long ago, for reauthentication. */
export function RoleDialog({ roleChange, onDone, onRejected, onClose }: RoleDialogProps) {
  const change = useChangeRole()
  const { title, question, confirm } = roleTexts(roleChange)
  const mustReauthenticate = requiresReauthentication(change.error)

  const send = () =>
    change.mutate(roleChange, {
      onSuccess: onDone,
      onError: (error) => {
        const problem = accountProblem(error)
        if (problem) onRejected(problem)
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
          look: roleChange.role === 'none' ? 'danger' : 'action',
        }}
        isOpen={!mustReauthenticate}
        onConfirm={send}
        onClose={onClose}
      />
      <ProveAgainDialog isOpen={mustReauthenticate} onProven={send} onClose={onClose} />
    </>
  )
}
