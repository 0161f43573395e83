import { Eye, Mail, Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import { formatPhone } from '#domain/south-africa.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EmailText } from '../mail/email-text.tsx'
import type { TableColumn, Opening } from '../list/resource-table.tsx'
import { clientName, type Client } from './client.ts'

export type ClientTask = 'view' | 'edit' | 'email'
type Open = (client: Client, task: ClientTask) => void

export function clientOpening({ id }: Pick<Client, 'id'>): Opening {
  return { to: `/admin/clients/${id}` }
}

export function clientColumns(open: Open): TableColumn<Client>[] {
  return [
    {
      label: 'Name',
      sort: 'full_name',
      cell: (client) => <Link {...clientOpening(client)}>{client.full_name || 'N/A'}</Link>,
    },
    { label: 'Email', sort: 'email', cell: ({ email }) => <EmailText email={email} /> },
    { label: 'Phone', kind: 'noWrap', cell: ({ phone }) => (phone ? formatPhone(phone) : 'N/A') },
    { label: 'Location', cell: ({ city, state }) => [city, state].filter(Boolean).join(', ') || 'N/A' },
    { label: 'Joined', sort: 'created_at', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    { label: 'Actions', kind: 'actions', cell: (client) => <Actions client={client} open={open} /> },
  ]
}

function Actions({ client, open }: { client: Client; open: Open }) {
  const who = clientName(client)
  return (
    <span>
      <IconButton icon={Eye} label={`View ${who}`} onClick={() => open(client, 'view')} />
      <IconButton icon={Pencil} label={`Edit ${who}`} onClick={() => open(client, 'edit')} />
      <IconButton icon={Mail} label={`Send email to ${who}`} onClick={() => open(client, 'email')} />
    </span>
  )
}
