import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { useCart } from './cart.tsx'

function Count() {
  return useCart().count
}

// covers S8.5
it('throws when a component calls useCart outside the cart provider', () => {
  expect(() => renderToStaticMarkup(<Count />)).toThrow('useCart must be used within a CartProvider')
})
