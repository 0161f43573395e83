import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderTexts, textsOfModule, textsOfSql } from '../scripts/texts.ts'

describe('texts of a module', () => {
  it.each([
    ['<p>Order <b>{number}</b> is <Price cents={5} />.</p>', ['Order … is ….']],
    ['<Button label="Save" className="wide button" />', ['Save']],
    [`<p className="a b">{isOpen ? 'Open' : 'Closed'}</p>`, ['Open', 'Closed']],
    ['log.error({ id }, `order ${id} was not sent`)', ['order … was not sent']],
    [`sql.query('select 1 from orders')`, []],
  ])('finds the interface texts in %j', (code, texts) => {
    expect(textsOfModule('page.tsx', code)).toEqual(texts)
  })
})

it('finds the error messages that the database raises', () => {
  const source = `raise exception 'There is no order %.', number using errcode = 'PT404'; -- 'Not this one.'`

  expect(textsOfSql(source)).toEqual(['There is no order ….'])
})

it('matches what `npm run texts` writes to docs/texts.md', () => {
  expect(readFileSync('docs/texts.md', 'utf8')).toBe(renderTexts())
})
