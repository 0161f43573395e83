/**
 * `npm run texts`: writes `docs/texts.md`, every text that a person can read: pages, e-mails, validation, messages of the
 * database and of the command line. One line each, grouped by folder; `…` stands for a value.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseSync } from 'vite'

interface Node {
  type: string
  [key: string]: unknown
}

const PAGE = 'docs/texts.md'
const HEAD = `# Interface texts

For editors: every text that a person can read, by folder. \`…\` stands for a value.

Written by \`npm run texts\`; do not edit.
`
const SOURCES = [
  '{app,emails,domain,server,payments,supabase/functions}/**/*.{ts,tsx}',
  '{server,shop.config}.ts',
  'scripts/{admin,courier-lockers,keys,lockers}.ts',
  'scripts/{prepare,start}.mjs',
]
const SQL_SOURCES = 'supabase/schema/**/*.sql'
const NO_TEXTS = /\.test\.|\.d\.ts$|\+types|\/testing\/|supabase\/database\.types/

/** Attributes whose values are never shown. */
const MACHINE_ATTRIBUTES =
  /^(accept|autoComplete|class\w*|data-.*|d|fetchPriority|fill|form|href|html[A-Z]\w*|http-?[eE]quiv|id|imageSizes|imageSrcSet|inputMode|key|lang|media|method|name|pattern|points|rel|role|sandbox|sizes|src\w*|style|tabIndex|target|to|transform|type|viewBox|width|xmlns|aria-(controls|current|describedby|expanded|haspopup|hidden|invalid|labelledby|live|owns|sort))$/
/** Arguments of these are never shown: selectors, media queries, headers, SQL, formats. */
const MACHINE_CALLS =
  /^(import|require|matchMedia|matches|closest|querySelector(All)?|getElementById|addEventListener|setAttribute|select|order|or|rpc|from|eq|query|sql|raw|RegExp|URL|startsWith|endsWith|includes|split|Intl|DateTimeFormat|NumberFormat|toLocale\w*|createElement|header|set)$/
/** Properties whose value is a text even when it is a single word. */
const TEXT_PROPERTY =
  /^(label|title|heading|text|message|subject|placeholder|description|hint|caption|name|summary|alt|question|answer|short|long|one|many|button|action|what|words?)$/i
const SQL =
  /^\s*(select|insert|update|delete|with|create|alter|drop|set|begin|lock|listen|grant|from|where)\b[\s\S]*/
const STYLES = /^[\d* ]+ \w+$|^\dpx |\bsans-serif\b|^\(m(ax|in)-|\{[^}]*:[^}]*\}|\[href\]/
/** Search terms and place names, which are matched and not shown. */
const WORD_LIST = /^[\p{Ll}, -]{80,}$/u
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&nbsp;': ' ',
  '&copy;': '©',
  '&apos;': "'",
  '&quot;': '"',
}
const SENTENCE = /^(?![A-Z]{2})(\p{Lu}[\p{L}’'-]* |… \p{Ll})/u
const CODE = /^[\w./:#@%*[\](){}=<>!&|~^$+,;-]*$/

/** Returns the texts of a module in source order. */
export function textsOfModule(file: string, source: string): string[] {
  const { program } = parseSync(file, source)
  const texts: string[] = []
  for (const statement of program.body) if (isNode(statement)) visit(statement, { texts, isLabel: false })
  return texts
}

interface Place {
  texts: string[]
  /** The value is shown directly, so that a single word is a text, too. */
  isLabel: boolean
}

function visit(node: Node, place: Place): void {
  const children = VISITORS[node.type]?.(node, place) ?? childrenOf(node)
  for (const child of children) visit(child, { ...place, isLabel: false })
}

/** Visitors return the children to visit; undefined means all. */
const VISITORS: Record<string, (node: Node, place: Place) => Node[] | undefined> = {
  ImportDeclaration: () => [],
  ExportAllDeclaration: () => [],
  JSXElement: visitElement,
  JSXFragment: visitElement,
  JSXAttribute(node, place) {
    if (MACHINE_ATTRIBUTES.test(attributeName(node)) || isGridTemplate(node)) return []
    return visitAll(nodesAt(node, 'value'), { ...place, isLabel: true })
  },
  JSXExpressionContainer: (node, place) => visitAll(nodesAt(node, 'expression'), place),
  ArrayExpression: (node, place) => visitAll(nodesAt(node, 'elements'), place),
  ConditionalExpression(node, place) {
    visitAll([...nodesAt(node, 'consequent'), ...nodesAt(node, 'alternate')], place)
    return nodesAt(node, 'test')
  },
  LogicalExpression(node, place) {
    visitAll(nodesAt(node, 'right'), place)
    return nodesAt(node, 'left')
  },
  Property(node, place) {
    const name = nameAt(node, 'key')
    if (MACHINE_ATTRIBUTES.test(name)) return []
    return visitAll(nodesAt(node, 'value'), { ...place, isLabel: TEXT_PROPERTY.test(name) })
  },
  BinaryExpression: (node) => (/^[!=]==?$|in|instanceof/.test(String(node.operator)) ? [] : undefined),
  SwitchCase: (node) => nodesAt(node, 'consequent'),
  TaggedTemplateExpression: () => [],
  CallExpression(node) {
    const callee = nodesAt(node, 'callee')
    const [{ property } = { property: undefined }] = callee
    const name = isNode(property) ? String(property.name) : nameAt(node, 'callee')
    return MACHINE_CALLS.test(name) ? callee : undefined
  },
  NewExpression: (node) => (MACHINE_CALLS.test(nameAt(node, 'callee')) ? [] : undefined),
  Literal({ value }, { texts, isLabel }) {
    if (typeof value === 'string') add(texts, value, isLabel)
    return []
  },
  TemplateLiteral(node, { texts, isLabel }) {
    add(texts, templateText(node), isLabel)
    return nodesAt(node, 'expressions')
  },
}

function visitAll(nodes: Node[], place: Place): [] {
  for (const node of nodes) visit(node, place)
  return []
}

/** An element that contains words is one text, including the words of nested elements. */
function visitElement(node: Node, place: Place): Node[] {
  const children = nodesAt(node, 'children')
  const opening = nodesAt(node, 'openingElement')
  if (!children.some((child) => child.type === 'JSXText' && /\p{L}/u.test(String(child.value)))) {
    visitAll(children, { ...place, isLabel: true })
    return opening
  }
  add(place.texts, children.map(elementText).join(''), true)
  return [...opening, ...children.flatMap(insideOf)]
}

function elementText(node: Node): string {
  if (node.type === 'JSXText') return String(node.value)
  const [expression] = nodesAt(node, 'expression')
  if (!expression) {
    const children = nodesAt(node, 'children')
    return children.length === 0 && isValue(node) ? '…' : children.map(elementText).join('')
  }
  if (expression.type === 'Literal') return String(expression.value)
  if (expression.type === 'TemplateLiteral') return templateText(expression)
  return expression.type === 'JSXEmptyExpression' ? '' : '…'
}

/** An empty component shows a value, such as a price; an icon is hidden from screen readers. */
function isValue(node: Node): boolean {
  const [opening = node] = nodesAt(node, 'openingElement')
  const isIcon = nodesAt(opening, 'attributes').some((attribute) =>
    /^(aria-hidden|size)$/.test(attributeName(attribute)),
  )
  return /^\p{Lu}/u.test(nameAt(opening, 'name')) && !isIcon
}

/** Returns the parts that `elementText` skips: attributes, and expressions other than plain strings. */
function insideOf(node: Node): Node[] {
  const inside = nodesAt(node, 'children').flatMap(insideOf)
  const expressions = nodesAt(node, 'expression').filter(({ type }) => type !== 'Literal')
  return [...nodesAt(node, 'openingElement'), ...inside, ...expressions]
}

function templateText(node: Node): string {
  return [node.quasis]
    .flat()
    .map((part) => (isNode(part) && isCooked(part.value) ? part.value.cooked : ''))
    .join('…')
}

function isCooked(value: unknown): value is { cooked: string } {
  return typeof value === 'object' && value !== null && 'cooked' in value
}

/** The columns of a `Grid` are a string; those of a table are a list of headings. */
function isGridTemplate(node: Node): boolean {
  return attributeName(node) === 'columns' && nodesAt(node, 'value')[0]?.type === 'Literal'
}

function attributeName(node: Node): string {
  return node.type === 'JSXAttribute' ? nameAt(node, 'name') : ''
}

/** Returns the name of an identifier or the value of a quoted key, otherwise an empty text. */
function nameAt(node: Node, key: string): string {
  const [{ name, value } = { name: '', value: '' }] = nodesAt(node, key)
  if (typeof name === 'string') return name
  return typeof value === 'string' ? value : ''
}

function nodesAt(node: Node, key: string): Node[] {
  return [node[key]].flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Skips types, whose literals are never shown. */
function childrenOf(node: Node): Node[] {
  return Object.keys(node).flatMap((key) => (key.startsWith('type') ? [] : nodesAt(node, key)))
}

function add(texts: string[], text: string, isLabel: boolean): void {
  const line = text
    .replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (isText(line, isLabel)) texts.push(line)
}

function isText(line: string, isLabel: boolean): boolean {
  if (!/\p{L}{2}/u.test(line) || [SQL, STYLES, WORD_LIST].some((pattern) => pattern.test(line))) return false
  if (line.includes(' ')) return /^[\p{Lu}\p{N}“‘"'(…#]|\p{L}{2,} \p{L}+ \p{L}/u.test(line)
  return isLabel && /^\p{Lu}/u.test(line) && !/^[A-Z\d_-]+$/.test(line) && CODE.test(line)
}

/** Returns the database's sentences: messages of `raise`, and literals that look like a sentence. */
export function textsOfSql(source: string): string[] {
  const code = source.replaceAll(/--.*$/gm, '').replaceAll(/^comment on [\s\S]*?';$/gm, '')
  return Array.from(code.matchAll(/(raise \w+ )?'((?:''|[^'])*)'/g), ([, raise, literal = '']) => {
    const text = literal.replaceAll("''", "'").replaceAll('%', '…').replaceAll(/\s+/g, ' ').trim()
    return text.includes(' ') && (raise || SENTENCE.test(text)) ? text : ''
  }).filter((text) => text !== '')
}

export function renderTexts(): string {
  const groups = new Map<string, Set<string>>()
  for (const file of globSync([...SOURCES, SQL_SOURCES])
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()) {
    if (NO_TEXTS.test(file)) continue
    const source = readFileSync(file, 'utf8')
    const texts = file.endsWith('.sql') ? textsOfSql(source) : textsOfModule(file, source)
    const group = groups.get(dirname(file)) ?? new Set()
    if (texts.length > 0) groups.set(dirname(file), group)
    for (const text of texts) group.add(text)
  }
  const lists = [...groups].map(
    ([name, texts]) => `## ${name}\n\n${[...texts].map((text) => `- ${text}\n`).join('')}`,
  )
  return [HEAD, ...lists].join('\n')
}

if (import.meta.main) writeFileSync(PAGE, renderTexts())
