import { useSyncExternalStore } from 'react'

/** The result of following a mailed link, from the fragment of the page that it redirects to. */
export type LinkAnswer =
  | { kind: 'none' }
  /** Used before, expired or unknown. */
  | { kind: 'refused' }
  /** The link to the other mailbox must be opened as well. */
  | { kind: 'half-done' }
  | { kind: 'done'; type: string }

/** Read once: a mailed link always loads a new page. */
const arrived = typeof location === 'undefined' ? null : readAnswer(location.hash)

/** Returns `null` until the page is hydrated. */
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
