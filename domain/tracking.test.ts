import { expect, it } from 'vitest'
import { trackingLink } from './tracking.ts'

const COURIER = 'https://courier.example/track?ref={number}'

it.each([
  [COURIER, 'TCG 12/3&x', 'https://courier.example/track?ref=TCG%2012%2F3%26x'],
  [COURIER, null, null],
  ['https://courier.example/', 'TCG123', 'https://courier.example/'],
  [null, 'TCG123', null],
  ['', 'TCG123', null],
])('leads from %j and %j to %j', (template, number, link) => {
  expect(trackingLink(template, number)).toBe(link)
})
