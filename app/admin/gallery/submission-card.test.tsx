import { expect, it } from 'vitest'
import { renderText } from '#test/render-page.tsx'
import { VerdictButtons } from './submission-card.tsx'
import type { SubmissionStatus } from './submission.ts'

const nothing = () => undefined

function buttons(status: SubmissionStatus, { mayDelete }: { mayDelete: boolean }): string {
  return renderText(
    <VerdictButtons
      status={status}
      isBusy={false}
      isUnseen={false}
      onReview={nothing}
      onDecline={nothing}
      onDelete={mayDelete ? nothing : undefined}
    />,
  )
}

it('offers to delete a photo only once it was declined, and only to staff who may', () => {
  expect(buttons('declined', { mayDelete: true })).toBe('Undo Delete')
  expect(buttons('declined', { mayDelete: false })).toBe('Undo')
  expect(buttons('approved', { mayDelete: true })).toBe('Undo')
  expect(buttons('pending', { mayDelete: true })).toBe('Approve Decline')
})
