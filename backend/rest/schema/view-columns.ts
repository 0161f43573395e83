/**
 * Which table column a view's column shows, read from the view's rule.
 *
 * PostgreSQL keeps a view's query as a node tree in text: `{QUERY … :targetList ({TARGETENTRY … :resno 1 … :resorigtbl
 * 16385 :resorigcol 2 …} …) …}`. Only the outermost target list is the view's; those of sub-queries lie deeper. The
 * text escapes brackets that belong to a name with a backslash.
 */

export interface ViewColumn {
  number: number
  /** The table or view behind, or zero when the column is computed. */
  origin: number
  originNumber: number
}

const TOKEN =
  /\\.|[{}]|:resno (\d+) :resname (?:\\.|[^\\{}])*? :ressortgroupref \d+ :resorigtbl (\d+) :resorigcol (\d+) :resjunk (true|false)/g
const TARGET_ENTRY_DEPTH = 2

export function viewColumns(rule: string): ViewColumn[] {
  const columns: ViewColumn[] = []
  let depth = 0
  for (const [token, number, origin, originNumber, isJunk] of rule.matchAll(TOKEN)) {
    if (token === '{') depth += 1
    else if (token === '}') depth -= 1
    else if (number && depth === TARGET_ENTRY_DEPTH && isJunk === 'false') {
      columns.push({ number: Number(number), origin: Number(origin), originNumber: Number(originNumber) })
    }
  }
  return columns
}
