import { expect, it } from 'vitest'
import { MAX_QUANTITY } from '#domain/quantity.ts'
import { renderHtml } from '#test/render-page.tsx'
import { QuantityStepper } from './quantity-stepper.tsx'

/** The labels of the buttons that can be pressed. */
const buttonsAt = (quantity: number, line?: string) =>
  [
    ...renderHtml(
      <QuantityStepper quantity={quantity} onChange={() => {}} {...(line && { line })} />,
    ).matchAll(/<button[^>]*>/g),
  ]
    .filter(([tag]) => !tag.includes('disabled'))
    .map(([tag]) => /aria-label="([^"]*)"/.exec(tag)?.[1])

it('offers quantities from one to the most that can be ordered', () => {
  expect(buttonsAt(1)).toEqual(['Increase quantity'])
  expect(buttonsAt(2)).toEqual(['Decrease quantity', 'Increase quantity'])
  expect(buttonsAt(MAX_QUANTITY)).toEqual(['Decrease quantity'])
})

it('removes a line of the cart below one', () => {
  expect(buttonsAt(1, 'Popper, Red')).toEqual(['Remove Popper, Red', 'Increase quantity'])
})
