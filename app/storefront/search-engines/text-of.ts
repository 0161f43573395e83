import { isValidElement, type ReactNode } from 'react'

/** The words of a piece of a page, as somebody would read them out; paragraphs and items are told apart by a space. */
export function textOf(node: ReactNode): string {
  return wordsOf(node).replace(/\s+/g, ' ').trim()
}

const BLOCKS = new Set<unknown>(['p', 'li', 'ul', 'ol', 'div'])

function wordsOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(wordsOf).join('')
  if (!isValidElement<{ children?: ReactNode }>(node)) return ''

  const { type, props } = node
  const text = props.children === undefined ? wordsOf(rendered(type, props)) : wordsOf(props.children)
  return BLOCKS.has(type) ? `${text} ` : text
}

/** A small component of ours without children (an e-mail link) brings its words itself. */
function rendered(type: unknown, props: object): ReactNode {
  return typeof type === 'function' ? type(props) : null
}
