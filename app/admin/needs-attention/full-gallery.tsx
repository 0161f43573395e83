import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { dateText, LocalDateTime } from '#app/ui/local-date.tsx'
import type { Tables } from '#database'
import { QueryFailure } from '../list/resource-list.tsx'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { Card, Cards } from './card.tsx'

type FullDay = Pick<Tables<'full_gallery_days'>, 'id' | 'day' | 'refused' | 'last_refused_at'>

const REFETCH_MS = 60_000

function useFullDays() {
  return useBackendQuery(
    ['full-gallery-days'],
    (backend) =>
      backend
        .from('full_gallery_days')
        .select('id, day, refused, last_refused_at')
        .order('day', { ascending: false })
        .limit(31),
    { refetchInterval: REFETCH_MS },
  )
}

/** Days on which the gallery refused uploads because its daily limit was reached. Renders nothing when there are none. */
export function FullGallery() {
  const days = useFullDays()

  if (days.isError && !days.data) {
    return <QueryFailure what="Full gallery days" query={days} />
  }
  if (!days.data?.length) return null
  return (
    <section aria-label="Full gallery">
      <Cards items={days.data}>{(day) => <DayCard day={day} />}</Cards>
    </section>
  )
}

function DayCard({ day: { id, day, refused, last_refused_at } }: { day: FullDay }) {
  const dismiss = useToastMutation({
    mutationFn: () => queryBackend((backend) => backend.from('full_gallery_days').delete().eq('id', id)),
    success: 'Dismissed',
    invalidates: ['full-gallery-days'],
  })

  return (
    <Card
      title="Gallery full"
      heading={
        <>
          Gallery full on <time dateTime={day}>{dateText(day)}</time>
        </>
      }
      actions={
        <>
          <ButtonLink look="solid" to="/admin/gallery?status=pending">
            Review photos
          </ButtonLink>
          <Button disabled={dismiss.isPending} onClick={() => dismiss.mutate(undefined)}>
            Dismiss
          </Button>
        </>
      }
    >
      <p>
        The gallery reached its daily limit and refused {refused} {refused === 1 ? 'upload' : 'uploads'}, the
        last one <LocalDateTime at={last_refused_at} />. If you did not expect so many photos, look for spam
        among the pending ones.
      </p>
    </Card>
  )
}
