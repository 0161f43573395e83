import { beforeEach, expect, it, vi } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { renderText } from '#test/render-page.tsx'
import { ShownCart, shownLine } from '#test/shown-cart.tsx'
import CheckoutPage from './route.tsx'

vi.mock('#app/data/session.tsx', () => ({
  useSession: () => ({ status: 'signed-in', user: { id: 'thandi', email: '', fullName: null } }),
}))

beforeEach(installStorage)

const textOf = (status: 'ready' | 'loading') =>
  renderText(
    <ShownCart lines={[shownLine]} status={status}>
      <CheckoutPage />
    </ShownCart>,
  )

it('shows the order form only once the lines of the visitor are merged into the cart, because it checks them once', () => {
  expect(textOf('loading')).not.toContain('Place Order')
  expect(textOf('ready')).toContain('Place Order')
})
