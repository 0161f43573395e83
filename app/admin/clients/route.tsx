import { useState } from 'react'
import { EmailDialog } from '../mail/email-dialog.tsx'
import { ExportButton, CsvButton } from '../export/export-button.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { useList, type ListState } from '../list/use-list.ts'
import { clientColumns, clientOpening, type ClientTask } from './client-columns.tsx'
import { ClientDialog } from './client-dialog.tsx'
import { CLIENTS, CLIENTS_FILE } from './client-list.ts'
import { SelectionBar } from '../list/selection-bar.tsx'
import type { Client } from './client.ts'

const EMPTY = { title: 'No clients yet', advice: 'Everyone who signs up appears here.' }

function bulkClients(clients: ListState<Client>) {
  return (
    <SelectionBar list={clients}>
      <CsvButton load={clients.selection.rows} file={CLIENTS_FILE} />
    </SelectionBar>
  )
}

export default function ClientsTab() {
  const clients = useList(CLIENTS)
  const [opened, setOpened] = useState<{ client: Client; task: ClientTask } | null>(null)
  const close = () => setOpened(null)

  return (
    <>
      <ListScreen
        list={clients}
        empty={EMPTY}
        columns={clientColumns((client, task) => setOpened({ client, task }))}
        opens={clientOpening}
        action={<ExportButton list={clients} file={CLIENTS_FILE} />}
        bulk={bulkClients}
      />
      {opened?.task === 'email' && <EmailDialog recipient={opened.client} onClose={close} />}
      {opened && opened.task !== 'email' && (
        <ClientDialog client={opened.client} isEditing={opened.task === 'edit'} onClose={close} />
      )}
    </>
  )
}
