import { InternalNotes } from '../../notes/internal-notes.tsx'
import { useAddNote, useInternalNotes } from './timeline-query.ts'

export function OrderNotes({ orderId }: { orderId: string }) {
  return <InternalNotes notes={useInternalNotes(orderId)} add={useAddNote(orderId)} />
}
