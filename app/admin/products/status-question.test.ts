import { expect, it } from 'vitest'
import { statusQuestion } from './status-question.ts'

const LIVE = {
  name: 'Petrel',
  status: 'live' as const,
  publish_at: null,
  price: 90,
  price_with_hooks: null,
}
const SCHEDULED = { ...LIVE, name: 'Kite', status: 'announced' as const, publish_at: '2099-11-24T17:00:00Z' }
const FREE_DRAFT = { ...LIVE, name: 'Heron', status: 'draft' as const, price: 0 }
const FREE_WITH_HOOKS = { ...FREE_DRAFT, name: 'Swift', price: 90, price_with_hooks: 0 }

it('asks before selected lures are put on sale before their launch or for nothing, and names them', () => {
  expect(statusQuestion([LIVE, SCHEDULED, FREE_DRAFT, FREE_WITH_HOOKS], 'live')).toBe(
    'These go on sale now instead of at their launch: Kite. These cost R0.00: Heron, Swift.',
  )
})

it('asks before the launches of selected lures end because they are hidden', () => {
  expect(statusQuestion([LIVE, SCHEDULED, FREE_DRAFT], 'hidden')).toBe('These lose their launch: Kite.')
})

it('changes the status of lures without a launch and with a price at once', () => {
  expect(statusQuestion([LIVE, { ...LIVE, status: 'draft' }], 'live')).toBeNull()
  expect(statusQuestion([LIVE, FREE_DRAFT], 'hidden')).toBeNull()
  expect(statusQuestion([{ ...LIVE, price: 0 }], 'live'), 'it is on sale already').toBeNull()
})

it('names ten of many lures that a bulk change puts on sale before their launch', () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ ...SCHEDULED, name: `Kite ${at}` }))

  expect(statusQuestion(many, 'live')).toMatch(/launch: Kite 0, .*, Kite 9 and 2 more\.$/)
})
