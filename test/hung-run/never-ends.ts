import { it } from 'vitest'

it('runs a loop that never ends', () => {
  for (;;);
})
