/**
 * oxlint plugin: links name their page. A link with only a query string leads to the latest location, which may already be the next page
 * while the previous one is still visible: `/admin?status=new` instead of `/admin/orders?status=new`.
 */
const isQueryOnly = (node) => {
  if (node?.type === 'ObjectExpression') {
    const names = new Set(node.properties.map(({ key }) => key?.name))
    return names.has('search') && !names.has('pathname')
  }
  if (node?.type === 'TemplateLiteral') return node.quasis[0].value.raw.startsWith('?')
  return node?.type === 'Literal' && String(node.value).startsWith('?')
}

const namePage = {
  create(context) {
    const check = (node) => {
      if (isQueryOnly(node)) context.report({ node, message: 'a link names its page: add the pathname' })
    }
    return {
      JSXAttribute({ name, value }) {
        if (name.name === 'to') check(value?.type === 'JSXExpressionContainer' ? value.expression : value)
      },
      CallExpression({ callee, arguments: [to] }) {
        if (callee.name === 'navigate') check(to)
      },
    }
  },
}

export default { meta: { name: 'links' }, rules: { 'name-page': namePage } }
