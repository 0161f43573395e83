/**
 * oxlint plugin: what could not be loaded must not look like none. A file that reads `query.data ?? []` also reads the query's error, or
 * hands the query to a component that shows it.
 */
import { relative } from 'node:path'
import { isTest } from './is-test.js'

const MESSAGE =
  'if this query fails, it looks as if there were none: show its error (QueryWarning, LoadError)'
const ERRORS = new Set(['isError', 'error', 'status'])

const isNone = (node) =>
  (node.type === 'ArrayExpression' && node.elements.length === 0) ||
  (node.type === 'Literal' && (node.value === 0 || node.value === false))

const isHook = (node) => node?.type === 'CallExpression' && /^use[A-Z]/.test(node.callee.name ?? '')

/** Returns what `data` is read of in `query.data?.rows ?? []`: the query's name, or the call of a hook. */
function queryOf(node) {
  if (node.type === 'ChainExpression') return queryOf(node.expression)
  if (node.type === 'CallExpression') return isHook(node) ? null : queryOf(node.callee)
  if (node.type !== 'MemberExpression') return null
  return node.property.name === 'data' ? node.object : queryOf(node.object)
}

const keyOf = ({ key }) => key?.name

const failureShown = {
  create(context) {
    if (isTest(relative(context.cwd, context.filename))) return {}
    const report = (node) => context.report({ node, message: MESSAGE })
    /** Names of queries that the file itself makes. */
    const queries = new Set()
    /** Where it takes a query without data for none, by the query's name. */
    const defaults = new Map()
    /** Names of which it reads an error, or which it hands on. */
    const handled = new Set()
    return {
      LogicalExpression({ operator, left, right }) {
        if (operator !== '??' || !isNone(right)) return
        const query = queryOf(left)
        if (isHook(query)) report(query)
        else if (query?.type === 'Identifier') defaults.set(query.name, query)
      },
      VariableDeclarator({ id, init }) {
        if (!isHook(init)) return
        if (id.type !== 'ObjectPattern') {
          queries.add(id.name)
          return
        }
        const data = id.properties.find((property) => keyOf(property) === 'data')
        if (
          data?.value.type === 'AssignmentPattern' &&
          !id.properties.some((each) => ERRORS.has(keyOf(each)))
        )
          report(data)
      },
      MemberExpression({ object, property }) {
        if (ERRORS.has(property.name)) handled.add(object.name)
      },
      JSXExpressionContainer({ expression }) {
        handled.add(expression.name)
      },
      Property({ value, parent }) {
        if (parent.type === 'ObjectExpression') handled.add(value.name)
      },
      ReturnStatement({ argument }) {
        handled.add(argument?.name)
      },
      'Program:exit'() {
        for (const [name, node] of defaults) if (queries.has(name) && !handled.has(name)) report(node)
      },
    }
  },
}

export default { meta: { name: 'queries' }, rules: { 'failure-shown': failureShown } }
