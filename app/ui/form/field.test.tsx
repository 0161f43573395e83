import { expect, it } from 'vitest'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { Checkbox, SelectField, TextField } from './field.tsx'

const attribute = (html: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(html)?.[1]
const ids = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)

it('connects label, hint and error with their field for screen readers', () => {
  const html = renderHtml(<TextField label="City" hint="Where you live" error="City is required" />)

  expect(attribute(html, 'aria-invalid')).toBe('true')
  const described = attribute(html, 'aria-describedby')?.split(' ') ?? []
  expect(described).toHaveLength(2)
  expect(ids(html)).toEqual(expect.arrayContaining(described))
  expect(ids(html)).toContain(attribute(html, 'for'))
})

it('marks a field without an error as valid', () => {
  const html = renderHtml(<TextField label="City" error={null} />)

  expect(html).not.toContain('aria-invalid')
  expect(html).not.toContain('aria-describedby')
})

it('shows the error of each kind of field, and which fields are optional', () => {
  expect(renderText(<TextField label="City" isOptional error="Too short" />)).toBe(
    'City (optional) Too short',
  )
  expect(renderText(<SelectField label="Province" error="Choose one" />)).toBe('Province Choose one')
  const checkbox = <Checkbox label="I accept" error="Please accept" />
  expect(renderText(checkbox)).toBe('I accept Please accept')
  expect(renderHtml(checkbox)).toContain('aria-invalid="true"')
})
