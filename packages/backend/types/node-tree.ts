/**
 * PostgreSQL stores a view's query as a node tree in text: `{VAR :varno 1 …}` is a node, `(…)` a list, `(b 1 2)` a set of
 * numbers, `<>` is null, and a backslash escapes the next character.
 */

export interface TreeNode {
  kind: string
  /** Some fields have more than one value: `:constvalue 4 [ 1 0 0 0 ]`. */
  fields: Map<string, TreeValue[]>
}

export type TreeValue = string | TreeNode | TreeValue[]

const TOKEN = /[(){}[\]]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}[\]\\])+/gs

export function parseTree(text: string): TreeValue {
  const tokens = text.match(TOKEN) ?? []
  let next = 0

  function value(): TreeValue {
    const token = tokens[next++] ?? ''
    if (token === '{') return node()
    if (token === '(' || token === '[') return list()
    return token
  }
  function list(): TreeValue[] {
    const items: TreeValue[] = []
    while (next < tokens.length && tokens[next] !== ')' && tokens[next] !== ']') items.push(value())
    next += 1
    return items
  }
  function node(): TreeNode {
    const kind = tokens[next++] ?? ''
    const fields = new Map<string, TreeValue[]>()
    let values: TreeValue[] = []
    while (next < tokens.length && tokens[next] !== '}') {
      if (tokens[next]?.startsWith(':')) fields.set((tokens[next++] ?? '').slice(1), (values = []))
      else values.push(value())
    }
    next += 1
    return { kind, fields }
  }
  return value()
}

/** Returns a field with a single word; an empty text when the field is missing. */
export function word(node: TreeNode, field: string): string {
  const value = node.fields.get(field)?.[0]
  return typeof value === 'string' ? value : ''
}

/** Returns a field with a single node; null when it is `<>`. */
export function child(node: TreeNode, field: string): TreeNode | null {
  const value = node.fields.get(field)?.[0]
  return typeof value === 'object' && !Array.isArray(value) ? value : null
}

/** Returns the nodes of a list field. */
export function children(node: TreeNode, field: string): TreeNode[] {
  const value = node.fields.get(field)?.[0]
  return nodesIn(Array.isArray(value) ? value : [])
}

/** Returns the words of a list: `b`, `1`, `2` for `(b 1 2)`. */
export function words(value: TreeValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

export function nodesIn(values: TreeValue[]): TreeNode[] {
  return values.filter((item): item is TreeNode => typeof item === 'object' && !Array.isArray(item))
}
