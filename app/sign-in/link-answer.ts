import { useSyncExternalStore } from 'react'

/** What became of a mailed link, behind the `#` of the page that it leads to. */
export type LinkAnswer =
  | { kind: 'none' }
  /** Spent, too old, or not ours. */
  | { kind: 'refused' }
  /** The other mailbox has to agree, too. */
  | { kind: 'half-done' }
  | { kind: 'done'; type: string }

/** Read as the page arrives. A link is always a new page. */
const arrived = typeof location === 'undefined' ? null : readAnswer(location.hash)

/** `null` until the page has come alive. */
export function useLinkAnswer(): LinkAnswer | null {
  return useSyncExternalStore(
    neverChanges,
    () => arrived,
    () => null,
  )
}

function neverChanges() {
  return () => {}
}

export function readAnswer(hash: string): LinkAnswer {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  if (values.has('error_code') || values.has('error')) return { kind: 'refused' }
  const followed = values.get('followed')
  if (followed !== null) return { kind: 'done', type: followed }
  if (values.has('message')) return { kind: 'half-done' }
  return { kind: 'none' }
}
