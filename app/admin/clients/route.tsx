import { Eye, Mail, Pencil } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { EmailDialog } from '../list/email-dialog.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { ResourceTable, type Column } from '../list/resource-table.tsx'
import { When } from '#app/ui/when.tsx'
import { useClients, type Client } from './client.ts'
import { ClientDialog } from './client-dialog.tsx'

type Task = 'view' | 'edit' | 'email'

const EMPTY = { title: 'No clients yet', advice: 'Everybody who signs up stands here.' }

export default function ClientsTab() {
  const clients = useClients()
  const [opened, setOpened] = useState<{ client: Client; task: Task } | null>(null)
  const close = () => setOpened(null)

  return (
    <>
      <ResourceList title="Clients" query={clients} rowsOf={(rows) => rows} empty={EMPTY}>
        {(rows) => (
          <ResourceTable
            caption="Clients, newest first"
            columns={columns((client, task) => setOpened({ client, task }))}
            rows={rows}
            keyOf={({ id }) => id}
            onOpen={(client) => setOpened({ client, task: 'view' })}
          />
        )}
      </ResourceList>
      {opened?.task === 'email' && <EmailDialog recipient={opened.client} onClose={close} />}
      {opened && opened.task !== 'email' && (
        <ClientDialog client={opened.client} isEditing={opened.task === 'edit'} onClose={close} />
      )}
    </>
  )
}

function columns(open: (client: Client, task: Task) => void): Column<Client>[] {
  return [
    { label: 'Name', cell: ({ full_name }) => full_name || 'N/A' },
    { label: 'Email', cell: ({ email }) => email },
    { label: 'Phone', cell: ({ phone }) => phone || 'N/A' },
    { label: 'Location', cell: ({ city, state }) => [city, state].filter(Boolean).join(', ') || 'N/A' },
    { label: 'Joined', cell: ({ created_at }) => <When at={created_at} /> },
    { label: 'Actions', kind: 'actions', cell: (client) => <Actions client={client} open={open} /> },
  ]
}

function Actions({ client, open }: { client: Client; open: (client: Client, task: Task) => void }) {
  const who = client.full_name || client.email
  return (
    <span>
      <IconButton label={`View ${who}`} onClick={() => open(client, 'view')}>
        <Eye size={20} aria-hidden />
      </IconButton>
      <IconButton label={`Edit ${who}`} onClick={() => open(client, 'edit')}>
        <Pencil size={20} aria-hidden />
      </IconButton>
      <IconButton label={`Send email to ${who}`} onClick={() => open(client, 'email')}>
        <Mail size={20} aria-hidden />
      </IconButton>
    </span>
  )
}
