import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { renderHtml } from '#test/render-page.tsx'
import { readView, ROWS_ON_A_PAGE } from '../list/list.ts'
import { HISTORY } from './change-list.ts'
import type { Change } from './change-words.ts'
import History from './route.tsx'

const change = (id: number): Change => ({
  id,
  changed_at: '2026-11-21T08:00:00Z',
  actor_id: null,
  actor: 'server',
  actor_name: null,
  device: null,
  table_name: 'promo_codes',
  row_id: 'b',
  row_name: 'SPRING-10',
  verb: 'insert',
  before: null,
  after: {},
  withheld: [],
  forgotten_at: null,
  undoes: null,
  undone_by: null,
  can_undo: false,
})

/** Above 1000 changes, their count is an estimate. */
const ESTIMATE = 1500

/** The page at this address, after the query of its list has loaded. */
function historyHtml(address: string, rowCount: number): string {
  const queries = new QueryClient()
  const view = readView(HISTORY, new URLSearchParams(address))
  const rows = Array.from({ length: rowCount }, (_, index) => change(index))
  queries.setQueryData(['history', 'page', view], { rows, count: ESTIMATE })
  return renderHtml(<History />, { queries, path: `/admin/history${address}` })
}

it('links a full page of the history to the next, although the estimated count ends here', () => {
  const lastPage = ESTIMATE / ROWS_ON_A_PAGE

  const html = historyHtml(`?page=${lastPage}`, ROWS_ON_A_PAGE)

  expect(html).toContain(`href="/admin/history?page=${lastPage + 1}"`)
  expect(html).toContain(`href="/admin/history?page=${lastPage - 1}"`)
})

it('leads from a page beyond the end of the history to its first page', () => {
  const html = historyHtml('?thing=promo_codes&page=29', 0)

  expect(html).toContain('There is no page 29')
  expect(html).toContain('href="/admin/history?thing=promo_codes"')
})
