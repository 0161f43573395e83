/** Derives which columns of a view are never null, and which string values they can have. When in doubt, a column is nullable and can have any value. */

import { child, children, nodesIn, parseTree, type TreeNode, word, words } from './node-tree.ts'

export interface ColumnFacts {
  isNullable: boolean
  /** All texts that the column can contain; null if unknown. */
  choices: readonly string[] | null
}

export type FactsOf = (relation: number, column: number) => ColumnFacts

const UNKNOWN: ColumnFacts = { isNullable: true, choices: null }
const NEVER_NULL: ColumnFacts = { isNullable: false, choices: null }

/** The first OID of user-defined objects. */
const FIRST_USER_OID = 16_384
const TEXT = '25'
/** boolean, bigint, smallint, integer, real, double precision, numeric: built-in operators with these results are strict. */
const PLAIN_RESULTS = new Set(['16', '20', '21', '23', '700', '701', '1700'])
const IN_RANGE_TABLE = { relation: '0', subquery: '1' }
const CASTS = new Set(['1', '2'])
const EXISTS = '0'

/** Returns the facts by column number. `rule` is the view's query in `pg_rewrite.ev_action`. */
export function viewFacts(rule: string, factsOf: FactsOf): Map<number, ColumnFacts> {
  const tree = parseTree(rule)
  const [query] = nodesIn(Array.isArray(tree) ? tree : [])
  if (!query) return new Map()
  return new Map(
    children(query, 'targetList').map((entry) => {
      const number = Number(word(entry, 'resno'))
      return [number, factsOfTarget([query], number, factsOf)]
    }),
  )
}

/** `queries` contains the query of the column, then the enclosing queries. */
function factsOfTarget(queries: TreeNode[], number: number, factsOf: FactsOf): ColumnFacts {
  const [query] = queries
  if (!query || child(query, 'setOperations') || children(query, 'groupingSets').length > 0) return UNKNOWN
  const entry = children(query, 'targetList').find((target) => word(target, 'resno') === String(number))
  const expression = entry && child(entry, 'expr')
  return expression ? factsOfExpression(expression) : UNKNOWN

  function factsOfExpression(node: TreeNode): ColumnFacts {
    const all = (field: string) => children(node, field).map(factsOfExpression)
    switch (node.kind) {
      case 'VAR':
        return factsOfVariable(node, queries, factsOf)
      case 'CONST':
        return word(node, 'constisnull') === 'true'
          ? { isNullable: true, choices: [] }
          : { isNullable: false, choices: textOf(node) }
      case 'COALESCEEXPR':
        return { ...combine(all('args')), isNullable: all('args').every(({ isNullable }) => isNullable) }
      case 'MINMAXEXPR':
        return { isNullable: all('args').every(({ isNullable }) => isNullable), choices: null }
      case 'CASEEXPR':
        return combine([
          ...children(node, 'args').map((when) => only(when, 'result')),
          only(node, 'defresult'),
        ])
      case 'RELABELTYPE':
        return only(node, 'arg')
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
        return NEVER_NULL
      case 'SUBLINK':
        return word(node, 'subLinkType') === EXISTS ? NEVER_NULL : UNKNOWN
      default:
        return isStrict(node) ? { ...combine(all('args')), choices: null } : UNKNOWN
    }
  }
  function only(node: TreeNode, field: string): ColumnFacts {
    const found = child(node, field)
    return found ? factsOfExpression(found) : UNKNOWN
  }
}

/** Resolves a column of a table or subquery in this or an enclosing query. An outer join makes it nullable. */
function factsOfVariable(node: TreeNode, queries: TreeNode[], factsOf: FactsOf): ColumnFacts {
  const around = queries.slice(Number(word(node, 'varlevelsup')))
  const source = around[0] && children(around[0], 'rtable')[Number(word(node, 'varno')) - 1]
  const number = Number(word(node, 'varattno'))
  if (!source || number < 1) return UNKNOWN
  const isNulledByJoin = words(node.fields.get('varnullingrels')?.[0]).length > 1
  const found = factsInSource()
  return { ...found, isNullable: found.isNullable || isNulledByJoin }

  function factsInSource(): ColumnFacts {
    if (!source) return UNKNOWN
    const kind = word(source, 'rtekind')
    if (kind === IN_RANGE_TABLE.relation) return factsOf(Number(word(source, 'relid')), number)
    const subquery = child(source, 'subquery')
    return kind === IN_RANGE_TABLE.subquery && subquery
      ? factsOfTarget([subquery, ...around], number, factsOf)
      : UNKNOWN
  }
}

function isStrict(node: TreeNode): boolean {
  switch (node.kind) {
    case 'BOOLEXPR':
    case 'ARRAYEXPR':
      return true
    case 'OPEXPR':
      return Number(word(node, 'opno')) < FIRST_USER_OID && PLAIN_RESULTS.has(word(node, 'opresulttype'))
    case 'SCALARARRAYOPEXPR':
      return Number(word(node, 'opno')) < FIRST_USER_OID
    case 'FUNCEXPR':
      return Number(word(node, 'funcid')) < FIRST_USER_OID && CASTS.has(word(node, 'funcformat'))
    default:
      return false
  }
}

function combine(facts: ColumnFacts[]): ColumnFacts {
  const choices = facts.flatMap((one) => one.choices ?? [])
  return {
    isNullable: facts.some(({ isNullable }) => isNullable),
    choices: facts.every((one) => one.choices) ? [...new Set(choices)] : null,
  }
}

/** The first four bytes of a text constant are its length. */
function textOf(node: TreeNode): string[] | null {
  const bytes = node.fields.get('constvalue')?.[1]
  if (word(node, 'consttype') !== TEXT || !bytes) return null
  return [Buffer.from(words(bytes).slice(4).map(Number)).toString('utf8')]
}
