/**
 * Parses the table columns behind a view's columns from the view's rule.
 *
 * PostgreSQL stores a view's query as a node tree: `{QUERY … :targetList ({TARGETENTRY … :resno 1 … :resorigtbl
 * 16385 :resorigcol 2 …} …) …}`. Only the outermost target list belongs to the view; those of sub-queries are nested deeper. Braces in
 * names are escaped with a backslash.
 */

export interface ViewColumn {
  number: number
  /** The source table or view; zero for a computed column. */
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
