import { it } from 'vitest'

it('never yields', () => {
  for (;;);
})
