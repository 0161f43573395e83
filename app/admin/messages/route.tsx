import { useState } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import { Grid, Row } from '#app/ui/layout.tsx'
import { useIsPacker } from '../frame/role.ts'
import { ExportButton } from '../export/export-button.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { QueryWarning } from '../list/resource-list.tsx'
import { useList } from '../list/use-list.ts'
import { useNames } from '../notes/names.ts'
import { AnswerDialog } from './answer-dialog.tsx'
import { MESSAGES, MESSAGES_FILE } from './message-list.ts'
import { useReplies, type Message } from './message.ts'
import { MessageCard } from './message-card.tsx'

const EMPTY = {
  title: 'No open messages',
  advice: 'Messages from the contact form appear here.',
}

/** Messages from the contact form with their answers. */
export default function Messages() {
  const isPacker = useIsPacker()
  const messages = useList(MESSAGES)
  const rows = messages.page.data?.rows ?? []
  const replies = useReplies(rows.map(({ id }) => id))
  const names = useNames([
    ...rows.flatMap(({ answered_by }) => answered_by ?? []),
    ...(replies.data ?? []).map(({ replied_by }) => replied_by),
  ])
  const [answering, setAnswering] = useState<Message | null>(null)

  return (
    <>
      <ListScreen
        list={messages}
        empty={EMPTY}
        above={<QueryWarning query={replies}>Answers could not be loaded, so none are shown.</QueryWarning>}
        action={
          !isPacker && (
            <Row gap={2} align="stretch" wrap>
              <ExportButton list={messages} file={MESSAGES_FILE} />
              <ButtonLink to="/admin/subscribers">Newsletter subscribers</ButtonLink>
            </Row>
          )
        }
      >
        {(shown) => (
          <Grid as="ul" columns="minmax(0, 1fr)" gap={4} narrow>
            {shown.map((message) => (
              <li key={message.id}>
                <MessageCard
                  message={message}
                  doneBy={message.answered_by && names.data?.get(message.answered_by)}
                  replies={replies.data?.filter(({ submission_id }) => submission_id === message.id)}
                  nameOf={(id) => names.data?.get(id)}
                  onAnswer={() => setAnswering(message)}
                />
              </li>
            ))}
          </Grid>
        )}
      </ListScreen>
      {answering && (
        <AnswerDialog
          message={answering}
          doneBy={answering.answered_by && names.data?.get(answering.answered_by)}
          onClose={() => setAnswering(null)}
        />
      )}
    </>
  )
}
