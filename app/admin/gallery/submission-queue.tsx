import { useState } from 'react'
import { useNames } from '../notes/names.ts'
import { DeclineDialog } from './decline-dialog.tsx'
import styles from './gallery.module.css'
import { SubmissionCard } from './submission-card.tsx'
import { SubmissionDialog } from './submission-dialog.tsx'
import { latestVerdict, useReviewPhoto, type Decision, type Submission } from './submission.ts'
import { useQueue } from './use-queue.ts'
import { useViewablePhotos } from './viewable-photos.ts'
import { Grid, Stack } from '#app/ui/layout.tsx'

interface Task {
  type: 'edit' | 'decline'
  id: string
}

/** The photos to review, by touch, mouse or keyboard. */
export function SubmissionQueue({ submissions }: { submissions: Submission[] }) {
  const photos = useViewablePhotos(submissions)
  const names = useNames(submissions.flatMap((submission) => latestVerdict(submission)?.decided_by ?? []))
  const review = useReviewPhoto()
  const [task, setTask] = useState<Task | null>(null)
  const opened = submissions.find(({ id }) => id === task?.id)

  const { list, ...queue } = useQueue(submissions, {
    approve(submission) {
      review.mutate({ submission, verdict: 'approved' })
      queue.goToNextOf(submission)
    },
    decline: ({ id }) => setTask({ type: 'decline', id }),
    edit: ({ id }) => setTask({ type: 'edit', id }),
  })
  const close = () => {
    queue.restoreFocus()
    setTask(null)
  }
  const decline = (decision: Decision) =>
    review.mutate(decision, {
      onSuccess() {
        setTask(null)
        queue.goToNextOf(decision.submission)
      },
    })
  const isBusy = ({ id }: Submission) => review.isPending && review.variables.submission.id === id

  return (
    <>
      <p className={styles.shortcuts}>
        <kbd>J</kbd> next <kbd>K</kbd> back <kbd>A</kbd> approve <kbd>D</kbd> decline <kbd>E</kbd> edit
      </p>
      <Grid as="ul" columns="repeat(auto-fill, minmax(260px, 1fr))" gap={4} ref={list}>
        {submissions.map((submission) => (
          <Stack as="li" key={submission.id}>
            <SubmissionCard
              submission={submission}
              photo={photos.data?.get(submission.id)?.[0]}
              decidedBy={names.data?.get(latestVerdict(submission)?.decided_by ?? '')}
              isCurrent={submission.id === queue.currentId}
              isBusy={isBusy(submission)}
              onFocus={() => queue.setCurrent(submission.id)}
              onOpen={() => setTask({ type: 'edit', id: submission.id })}
              onDecline={() => setTask({ type: 'decline', id: submission.id })}
              onReview={(verdict) => review.mutate({ submission, verdict })}
            />
          </Stack>
        ))}
      </Grid>
      {opened && task?.type === 'edit' && (
        <SubmissionDialog
          key={opened.id}
          submission={opened}
          photos={photos.data?.get(opened.id) ?? []}
          isBusy={isBusy(opened)}
          onReview={(verdict) => review.mutate({ submission: opened, verdict })}
          onDecline={() => setTask({ type: 'decline', id: opened.id })}
          onClose={close}
        />
      )}
      {opened && task?.type === 'decline' && (
        <DeclineDialog
          key={opened.id}
          submission={opened}
          photo={photos.data?.get(opened.id)?.[0]}
          isBusy={isBusy(opened)}
          onDecline={(reason) => decline({ submission: opened, verdict: 'declined', reason })}
          onClose={close}
        />
      )}
    </>
  )
}
