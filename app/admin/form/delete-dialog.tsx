import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'

interface Props<Row> {
  title: string
  question: string
  /** Null closes the dialog. */
  row: Row | null
  mutation: { isPending: boolean; mutate: (row: Row, options: { onSuccess: () => void }) => void }
  label?: string
  busyLabel?: string
  onClose: () => void
}

/** Asks before a row of a list is deleted. */
export function DeleteDialog<Row>({ row, mutation, onClose, ...texts }: Props<Row>) {
  const { title, question, label, busyLabel } = texts
  return (
    <ConfirmDialog
      title={title}
      question={question}
      confirm={{
        label: label ?? 'Delete',
        busyLabel: busyLabel ?? 'Deleting...',
        isBusy: mutation.isPending,
      }}
      isOpen={row !== null}
      onConfirm={() => row && mutation.mutate(row, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
