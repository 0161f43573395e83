import { Dialog } from '#app/ui/dialog.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { ProveAgain } from './prove-again.tsx'

interface ProveAgainDialogProps {
  /** The server refused an action because the last sign-in is too long ago. */
  isOpen: boolean
  /** Repeats the action. */
  onProven: () => void
  onClose: () => void
}

/** Asks for reauthentication before an action that the server refused without a recent one. */
export function ProveAgainDialog({ isOpen, onProven, onClose }: ProveAgainDialogProps) {
  return (
    <Dialog title="Confirm that it’s you" width={488} isOpen={isOpen} onClose={onClose}>
      {isOpen && (
        <Stack gap={4}>
          <p>You signed in a while ago. Please confirm that it’s you.</p>
          <ProveAgain onProven={onProven} />
        </Stack>
      )}
    </Dialog>
  )
}
