import { isValidElement, type ReactNode } from 'react'

/** Returns the text of a React node, with a space between blocks. */
export function plainText(node: ReactNode): string {
  return rawText(node).replace(/\s+/g, ' ').trim()
}

const BLOCKS = new Set<unknown>(['p', 'li', 'ul', 'ol', 'div'])

function rawText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(rawText).join('')
  if (!isValidElement<{ children?: ReactNode }>(node)) return ''

  const { type, props } = node
  const text = props.children === undefined ? rawText(rendered(type, props)) : rawText(props.children)
  return BLOCKS.has(type) ? `${text} ` : text
}

/** Renders a component without children, such as `EmailLink`. It must not use hooks. */
function rendered(type: unknown, props: object): ReactNode {
  return typeof type === 'function' ? type(props) : null
}
