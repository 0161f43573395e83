import { Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'

export function Loading({ label, rows = 3 }: { label: string; rows?: number }) {
  return (
    <Stack gap={4} aria-busy="true">
      <VisuallyHidden>{label}</VisuallyHidden>
      <Skeleton height={40} width={220} />
      {Array.from({ length: rows }, (_, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- the rows are all alike
        <Skeleton key={row} height={96} />
      ))}
    </Stack>
  )
}
