import { BUDGETS, measureFirstView, overBudget, PHONE } from '../bench/first-view.ts'
import { expect, test } from './shop.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

for (const budget of BUDGETS) {
  test(`the first view of ${budget.path} keeps within its budget on a phone`, async ({ browser, shop }) => {
    // The first visitor of all waits until the pictures are made in this phone's sizes; meanwhile the page moves on.
    const first = await browser.newContext(PHONE)
    await (await first.newPage()).goto(shop.url + budget.path, { waitUntil: 'networkidle' })
    await first.close()
    const context = await browser.newContext(PHONE)
    const view = await measureFirstView(await context.newPage(), shop.url + budget.path)
    await context.close()

    expect(overBudget(view, budget), view.heaviest.join('\n')).toEqual([])
  })
}
