import { numericDate } from '#app/ui/local-date.tsx'
import type { ListFile } from '../export/export-button.tsx'
import { anyContains, type List, choicesOf } from '../list/list.ts'
import type { Message } from './message.ts'

/** Shows open messages. A search covers all of them, because the wanted one may be done, unless the filter says otherwise. */
export const MESSAGES: List<Message> = {
  name: 'messages',
  title: 'Messages',
  noun: { singular: 'message', plural: 'messages' },
  idOf: ({ id }) => id,
  nameOf: ({ subject }) => subject,
  searchPlaceholder: 'Name, e-mail, subject or words',
  filters: [
    { name: 'show', label: 'Show', choices: choicesOf({ open: 'Open', done: 'Done', all: 'Open and done' }) },
  ],
  sorts: { created_at: { label: 'Received', ascending: 'oldest first', descending: 'newest first' } },
  defaultSort: '-created_at',
  allRows: { show: 'all' },
  buildQuery(backend, { search, filters: { show = search ? 'all' : 'open' } }) {
    const messages = backend.from('messages').select('*', { count: 'estimated' })
    const filtered = search
      ? messages.or(anyContains(['name', 'email', 'subject', 'message'], search))
      : messages
    return show === 'all' ? filtered : filtered.filter('state', 'eq', show)
  },
}

export const MESSAGES_FILE: ListFile<Message> = {
  name: 'messages.csv',
  columns: [
    ['Received', ({ created_at }) => numericDate(created_at)],
    ['Name', ({ name }) => name],
    ['Email', ({ email }) => email],
    ['Subject', ({ subject }) => subject],
    ['Message', ({ message }) => message],
    ['State', ({ state }) => state],
    ['Done', ({ answered_at }) => answered_at && numericDate(answered_at)],
  ],
}
