import { expect, it } from 'vitest'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { ToastStack, type ShownToast } from './toast-stack.tsx'

const stack = (...toasts: Omit<ShownToast, 'id' | 'call'>[]) => (
  <ToastStack toasts={toasts.map((toast, id) => ({ ...toast, id, call: 1 }))} dismiss={() => {}} />
)

/** The role of a toast with this tone. */
const roleOf = (tone?: 'destructive') =>
  /role="(\w+)"/.exec(renderHtml(stack({ title: 'Saved', ...(tone && { tone }) })))?.[1]

it('interrupts a screen reader for errors only', () => {
  expect([roleOf(), roleOf('destructive')]).toEqual(['status', 'alert'])
})

it('shows title, description and action of a toast', () => {
  const toast = { title: 'Removed', description: 'From your cart', action: { label: 'Undo', run: () => {} } }

  expect(renderText(stack(toast))).toBe('Removed From your cart Undo')
})

it('counts the toasts that the first one covers', () => {
  expect(renderText(stack({ title: 'One' }, { title: 'Two' }, { title: 'Three' }))).toContain('One 2 more')
  expect(renderText(stack({ title: 'One' }))).not.toContain('more')
})
