import { InternalNotes } from '../../notes/internal-notes.tsx'
import { useAddNote, useInternalNotes } from './timeline-query.ts'

/** What the brothers tell each other about an order. */
export function OrderNotes({ orderId }: { orderId: string }) {
  return <InternalNotes notes={useInternalNotes(orderId)} add={useAddNote(orderId)} />
}
