import { Eye, Mail, Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import { formatPhone } from '#domain/south-africa.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EmailText } from '../mail/email-text.tsx'
import type { TableColumn, Opening } from '../list/resource-table.tsx'
import { clientName, type Client } from './client.ts'

export type ClientTask = 'view' | 'edit' | 'email'

export function clientOpening({ id }: Pick<Client, 'id'>): Opening {
  return { to: `/admin/clients/${id}` }
}

export function clientColumns(open: (client: Client, task: ClientTask) => void): TableColumn<Client>[] {
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
    {
      label: 'Actions',
      kind: 'actions',
      cell: (client) => (
        <span>
          <IconButton icon={Eye} label={`View ${clientName(client)}`} onClick={() => open(client, 'view')} />
          <IconButton
            icon={Pencil}
            label={`Edit ${clientName(client)}`}
            onClick={() => open(client, 'edit')}
          />
          <IconButton
            icon={Mail}
            label={`Send email to ${clientName(client)}`}
            onClick={() => open(client, 'email')}
          />
        </span>
      ),
    },
  ]
}
