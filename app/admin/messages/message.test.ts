import { expect, it } from 'vitest'
import { answerSubject } from './message.ts'

it('suggests a subject that is short enough to be sent, also for the longest question and without half an emoji', () => {
  expect(answerSubject('Hooks')).toBe('Re: Hooks')
  expect(answerSubject('🎣'.repeat(200))).toBe(`Re: ${'🎣'.repeat(196)}`)
})
