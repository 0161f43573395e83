import { expect, it } from 'vitest'
import { CLIENTS_FILE } from '../clients/client-list.ts'
import { MESSAGES_FILE } from '../messages/message-list.ts'
import { SUBSCRIBERS_FILE } from '../subscribers/subscriber-list.ts'
import { linesOf, type ListFile } from './export-button.tsx'

/** The cells of a row by their headers. */
function cells<Row>(file: ListFile<Row>, row: Row): Record<string, string | undefined> {
  const [line = []] = linesOf(file, [row])
  return Object.fromEntries(file.columns.map(([header], at) => [header, line[at]]))
}

it('exports a client with each part of the address in its own column', () => {
  const client = {
    id: '1',
    full_name: 'Thandi Mokoena',
    email: 'thandi@example.com',
    phone: '+27821234567',
    address: '14 Beach Road',
    city: 'Durban',
    state: 'KwaZulu-Natal',
    zip_code: '4001',
    created_at: '2026-11-20T22:30:00Z',
    updated_at: '2026-11-20T22:30:00Z',
  }

  expect(cells(CLIENTS_FILE, client)).toEqual({
    Name: 'Thandi Mokoena',
    Email: 'thandi@example.com',
    Phone: '082 123 4567',
    Address: '14 Beach Road',
    City: 'Durban',
    Province: 'KwaZulu-Natal',
    'Postal code': '4001',
    Joined: '2026/11/21',
  })
})

it('exports a message with its sender, its state and the day on which it was done', () => {
  const message = {
    id: '1',
    name: 'Lerato',
    email: 'lerato@example.com',
    subject: 'Hooks',
    message: 'Which hooks?',
    created_at: '2026-11-20T08:00:00Z',
    state: 'done' as const,
    answered_at: '2026-11-21T08:00:00Z',
    answered_by: null,
  }

  expect(cells(MESSAGES_FILE, message)).toEqual({
    Received: '2026/11/20',
    Name: 'Lerato',
    Email: 'lerato@example.com',
    Subject: 'Hooks',
    Message: 'Which hooks?',
    State: 'done',
    Done: '2026/11/21',
  })
  expect(cells(MESSAGES_FILE, { ...message, state: 'open', answered_at: null })['Done']).toBe('')
})

it('exports a subscriber with the consent, its wording and its date', () => {
  const subscriber = {
    id: '1',
    email: 'thandi@example.com',
    source: 'footer' as const,
    accepted_terms: true,
    confirmation_sent_at: null,
    unsubscribed_at: null,
    created_at: '2026-11-20T08:00:00Z',
    consent: 'agreed' as const,
    wording: 'Yes, mail me news.',
    said_at: '2026-11-21T08:00:00Z',
  }

  expect(cells(SUBSCRIBERS_FILE, subscriber)).toEqual({
    Email: 'thandi@example.com',
    Source: 'Footer',
    Since: '2026/11/20',
    Consent: 'Agreed',
    Wording: 'Yes, mail me news.',
    'Consent date': '2026/11/21',
  })
})
