import { useMutation } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorText } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { saveFile } from '../save-file.ts'
import { Section } from '../section.tsx'

export function Export() {
  const exporting = useMutation({
    mutationFn: () => queryBackend((backend) => backend.rpc('export_my_data')),
    onSuccess: (data) =>
      saveFile({
        name: `${shop.name.toLowerCase()}-my-data-${new Date().toISOString().slice(0, 10)}.json`,
        type: 'application/json',
        content: JSON.stringify(data, null, 2),
      }),
  })

  return (
    <Section
      title="Export my data"
      intro="One file with what we keep about your account: details, orders, cart, consents, sign-ins. Messages, photos and stock alerts are not included; please contact us for those."
    >
      {exporting.isError && (
        <ErrorText role="alert">We couldn’t create your file. Please try again.</ErrorText>
      )}
      <Button place="start" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        {exporting.isPending ? 'Exporting...' : 'Export my data'}
      </Button>
    </Section>
  )
}
