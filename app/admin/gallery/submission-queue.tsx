import { useState, type ReactNode } from 'react'
import { ListScreen } from '../list/list-screen.tsx'
import { QueryWarning } from '../list/resource-list.tsx'
import type { ListState } from '../list/use-list.ts'
import { useNames } from '../notes/names.ts'
import { DeclineDialog } from './decline-dialog.tsx'
import { DeletePhotoDialog } from './delete-photo-dialog.tsx'
import styles from './gallery.module.css'
import { SubmissionCard } from './submission-card.tsx'
import { SubmissionDialog } from './submission-dialog.tsx'
import { latestVerdict, useReviewPhoto, type Decision, type Submission } from './submission.ts'
import { useQueue } from './use-queue.ts'
import { isUnseen, useViewablePhotos } from './viewable-photos.ts'
import { Grid, Stack } from '#app/ui/layout.tsx'

interface Task {
  type: 'edit' | 'decline' | 'delete'
  /** As it was when the dialog opened. Its status is sent with the verdict: after a live update, it would be a colleague’s. */
  submission: Submission
}

interface Props {
  list: ListState<Submission>
  /** Shown between the title and the photos. */
  above: ReactNode
}

const EMPTY = {
  title: 'No photos yet',
  advice: 'Photos that customers send for the gallery wait here for your approval.',
}

/** The photos to review, by touch, mouse or keyboard. A dialog stays open when its photo leaves the list. */
export function SubmissionQueue({ list: submissions, above }: Props) {
  const [task, setTask] = useState<Task | null>(null)
  const rows = submissions.page.data?.rows ?? []
  const opened = rows.find(({ id }) => id === task?.submission.id) ?? task?.submission
  const shown = opened && !rows.includes(opened) ? [...rows, opened] : rows
  const photos = useViewablePhotos(shown)
  const names = useNames(rows.flatMap((submission) => latestVerdict(submission)?.decided_by ?? []))
  const { busyIds, review } = useReviews()

  const { list, ...queue } = useQueue(rows, {
    approve(submission) {
      if (isUnseen(submission, photos.data)) return
      void review({ submission, verdict: 'approved' })
      queue.goToNextOf(submission)
    },
    decline: (submission) => setTask({ type: 'decline', submission }),
    edit: (submission) => setTask({ type: 'edit', submission }),
  })
  const close = () => {
    queue.restoreFocus()
    setTask(null)
  }
  const decide = async (decision: Decision) => {
    if (!(await review(decision))) return
    setTask(null)
    queue.goToNextOf(decision.submission)
  }

  return (
    <>
      <ListScreen list={submissions} empty={EMPTY} above={<Head rows={rows} photos={photos} above={above} />}>
        {() => (
          <>
            <Shortcuts />
            <Grid as="ul" columns="repeat(auto-fill, minmax(260px, 1fr))" gap={4} ref={list}>
              {rows.map((submission) => (
                <Stack as="li" key={submission.id}>
                  <SubmissionCard
                    submission={submission}
                    photo={photos.data?.get(submission.id)?.[0]}
                    decidedBy={names.data?.get(latestVerdict(submission)?.decided_by ?? '')}
                    isCurrent={submission.id === queue.currentId}
                    {...stateOf(submission, busyIds, photos)}
                    onFocus={() => queue.setCurrent(submission.id)}
                    onOpen={() => setTask({ type: 'edit', submission })}
                    onDecline={() => setTask({ type: 'decline', submission })}
                    onDelete={() => setTask({ type: 'delete', submission })}
                    onReview={(verdict) => void review({ submission, verdict })}
                  />
                </Stack>
              ))}
            </Grid>
          </>
        )}
      </ListScreen>
      {opened && task?.type === 'edit' && (
        <SubmissionDialog
          key={opened.id}
          submission={opened}
          photos={photos.data?.get(opened.id) ?? []}
          {...stateOf(opened, busyIds, photos)}
          onReview={(verdict) => void decide({ submission: opened, verdict })}
          onDecline={() => setTask({ type: 'decline', submission: opened })}
          onClose={close}
        />
      )}
      {opened && task?.type === 'decline' && (
        <DeclineDialog
          key={opened.id}
          submission={opened}
          photo={photos.data?.get(opened.id)?.[0]}
          isBusy={busyIds.has(opened.id)}
          onDecline={(reason) => void decide({ submission: task.submission, verdict: 'declined', reason })}
          onClose={close}
        />
      )}
      {task?.type === 'delete' && <DeletePhotoDialog submission={task.submission} onClose={close} />}
    </>
  )
}

/** Reviews of several photos at once. `review` resolves to whether it was recorded; a toast says so. */
function useReviews() {
  const { mutateAsync } = useReviewPhoto()
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())

  async function review(decision: Decision): Promise<boolean> {
    const { id } = decision.submission
    setBusyIds((ids) => new Set([...ids, id]))
    const isRecorded = await mutateAsync(decision).then(
      () => true,
      () => false,
    )
    setBusyIds((ids) => new Set([...ids].filter((other) => other !== id)))
    return isRecorded
  }

  return { busyIds, review }
}

type Photos = ReturnType<typeof useViewablePhotos>

function stateOf(submission: Submission, busyIds: ReadonlySet<string>, photos: Photos) {
  return { isBusy: busyIds.has(submission.id), isUnseen: isUnseen(submission, photos.data) }
}

interface HeadProps {
  rows: Submission[]
  photos: Photos
  above: ReactNode
}

function Head({ rows, photos, above }: HeadProps) {
  const { data, isPlaceholderData, refetch } = photos
  const isIncomplete =
    data && !isPlaceholderData && rows.some((row) => row.status === 'pending' && isUnseen(row, data))
  return (
    <>
      {above}
      <QueryWarning query={isIncomplete ? { data: undefined, isError: true, refetch } : photos}>
        Not all photos could be loaded. You can approve them once you see them.
      </QueryWarning>
    </>
  )
}

function Shortcuts() {
  return (
    <p className={styles.shortcuts}>
      <kbd>J</kbd> next <kbd>K</kbd> back <kbd>A</kbd> approve <kbd>D</kbd> decline <kbd>E</kbd> edit
    </p>
  )
}
