/**
 * oxlint plugin: the types of rows are derived from the database's generated types or from a schema that checks them, never asserted.
 * The driver returns rows as `any` or as whatever type is asked for, so only `selectRows` and its neighbours may read them.
 * Tests may assert.
 */
import { relative } from 'node:path'
import { isTest } from './is-test.js'

const READER = 'packages/backend/database/select-rows.ts'
/** Methods of the driver and of supabase-js whose type argument nothing checks. */
const METHODS = new Set(['query', 'single', 'maybeSingle', 'returns', 'overrideTypes'])

const nameOf = ({ callee }) => (callee.type === 'MemberExpression' ? callee.property.name : callee.name) ?? ''
const isMethod = ({ callee }) => callee.type === 'MemberExpression' && METHODS.has(callee.property.name)

/** Whether it is a call of `query`, awaited or not. */
function isQuery(node) {
  if (node?.type === 'AwaitExpression') return isQuery(node.argument)
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  // `c.req.query()` reads a query string.
  return nameOf(node) === 'query' && node.callee.object.property?.name !== 'req'
}

const readsRows = (pattern) =>
  pattern?.type === 'ObjectPattern' &&
  pattern.properties.some(({ type, key }) => type === 'RestElement' || key?.name === 'rows')

const checked = {
  create(context) {
    const path = relative(context.cwd, context.filename)
    if (isTest(path) || path === READER) return {}
    const report = (node, message) => context.report({ node, message })
    const unread = 'rows of a query are unchecked: read them with selectRows'
    return {
      CallExpression(node) {
        const hasType = (node.typeArguments ?? node.typeParameters)?.params.length
        if (hasType && (isMethod(node) || nameOf(node) === 'fetchPublicRows'))
          report(node, `${nameOf(node)}<…> asserts a type that nothing checks: derive it or use selectRows`)
        if (
          nameOf(node) === 'then' &&
          isQuery(node.callee.object) &&
          readsRows(node.arguments[0]?.params?.[0])
        )
          report(node, unread)
      },
      MemberExpression({ object, property }) {
        if (property.name === 'rows' && isQuery(object)) report(property, unread)
      },
      VariableDeclarator({ id, init }) {
        if (isQuery(init) && (id.type !== 'ObjectPattern' || readsRows(id))) report(id, unread)
      },
      ImportSpecifier({ imported, parent }) {
        if (parent.source.value === 'pg' && /^Query(Array)?Result/.test(imported.name))
          report(imported, unread)
      },
    }
  },
}

const compiledOnce = {
  create(context) {
    if (isTest(relative(context.cwd, context.filename))) return {}
    return {
      CallExpression(node) {
        const [, row] = node.arguments
        if (/^(select(Row|Value)s?|findRow)$/.test(nameOf(node)) && row?.type === 'CallExpression')
          context.report({ node: row, message: 'create the schema once per module: compiling it is slow' })
      },
    }
  },
}

export default { meta: { name: 'rows' }, rules: { checked, 'compiled-once': compiledOnce } }
