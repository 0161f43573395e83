import { expect, it } from 'vitest'

import { TextResponse } from './text-response.ts'

const answer = () =>
  new TextResponse('{"fish":"garrick 🎣"}', { status: 201, headers: { 'Content-Type': 'application/json' } })

it('reads a TextResponse in every form like a Response', async () => {
  expect(await answer().text()).toBe('{"fish":"garrick 🎣"}')
  expect(await answer().json()).toEqual({ fish: 'garrick 🎣' })
  expect(Buffer.from(await answer().bytes()).toString()).toBe('{"fish":"garrick 🎣"}')
  expect(Buffer.from(await answer().arrayBuffer()).toString()).toBe('{"fish":"garrick 🎣"}')
  const blob = await answer().blob()
  expect([blob.type, await blob.text()]).toEqual(['application/json', '{"fish":"garrick 🎣"}'])
  const form = new TextResponse('fish=garrick', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  expect((await form.formData()).get('fish')).toBe('garrick')
})

it('reads a TextResponse only once and clones an unread TextResponse', async () => {
  const once = answer()
  const copy = once.clone()
  expect(once.bodyUsed).toBe(false)
  await once.text()

  expect(once.bodyUsed).toBe(true)
  await expect(once.text()).rejects.toThrow(TypeError)
  expect(await copy.json()).toEqual({ fish: 'garrick 🎣' })
})

it('passes a TextResponse on in another Response with added headers', async () => {
  const first = answer()
  first.headers.set('X-Added', 'yes')
  const passedOn = new Response(first.body, first)

  expect([passedOn.status, passedOn.headers.get('X-Added')]).toEqual([201, 'yes'])
  expect(passedOn.headers.get('Content-Type')).toBe('application/json')
  expect(await passedOn.text()).toBe('{"fish":"garrick 🎣"}')
})
