import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Hint } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { MailContent } from './mail-content.tsx'
import { callFunction } from '#app/data/query-backend.ts'
import styles from '../form/form-dialog.module.css'
import { QueryFailure } from '../list/resource-list.tsx'

/** The parameters of the server function `preview-own-mail`. */
export type PreviewedMail = { subject: string; message: string } & (
  | { submissionId: string }
  | { to: string | null; orderId?: string }
)

/** Previews an e-mail as the server will send it, from the same template and props. */
export function StaffEmailPreview({ mail, isReady }: { mail: PreviewedMail; isReady: boolean }) {
  // A snapshot of the e-mail, so that typing does not reload the preview.
  const [shown, setShown] = useState<PreviewedMail | null>(null)
  const isCurrent = JSON.stringify(shown) === JSON.stringify(mail)

  return (
    <>
      <Button disabled={!isReady || isCurrent} onClick={() => setShown(mail)}>
        <Mail size={18} aria-hidden /> {shown && !isCurrent ? 'Update preview' : 'Preview'}
      </Button>
      {shown && isCurrent && <Preview mail={shown} />}
    </>
  )
}

function Preview({ mail }: { mail: PreviewedMail }) {
  const rendered = useQuery({
    queryKey: ['staff-email-preview', mail],
    queryFn: () => callFunction('preview-own-mail', mail),
  })
  if (rendered.isPending) return <Skeleton height={280} />
  if (rendered.isError) return <QueryFailure what="The preview" query={rendered} />
  const { to, subject, html, text } = rendered.data
  return (
    <section ref={bringIntoView} className={styles.form} aria-label="Preview">
      <Hint>
        Not sent yet. To {to}, subject “{subject}”.
      </Hint>
      <MailContent html={html} text={text} title={subject} />
    </section>
  )
}

/** On a phone the preview opens below the visible area. */
function bringIntoView(preview: HTMLElement | null): void {
  preview?.scrollIntoView()
}
