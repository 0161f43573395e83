import { expect, it } from 'vitest'
import { trackingLink, trackingUrlError } from './tracking.ts'

const COURIER = 'https://courier.example/track?ref={number}'

it.each([
  [COURIER, 'TCG 12/3&x', 'https://courier.example/track?ref=TCG%2012%2F3%26x'],
  [COURIER, ' TCG123 ', 'https://courier.example/track?ref=TCG123'],
  [COURIER, null, null],
  ['https://courier.example/', 'TCG123', null],
  ['http://courier.example/{number}', 'TCG123', null],
  [null, 'TCG123', null],
  ['', 'TCG123', null],
])('builds from the template %j and the tracking number %j the link %j', (template, number, link) => {
  expect(trackingLink(template, number)).toBe(link)
})

it.each([
  ['', null],
  [COURIER, null],
  ['https://courier.example?l={number}', null],
  ['http://courier.example/{number}', 'Start with https://'],
  ['javascript:alert({number})', 'Start with https://'],
  ['https://courier.example/', 'Put {number} where the tracking number goes'],
  ['https://{number}.example/', 'This is not a web address'],
  ['https://courier.example/{number} now', 'This is not a web address'],
])('validates the tracking URL %j with the result %j', (template, problem) => {
  expect(trackingUrlError(template)).toBe(problem)
})
