import { PASSWORD } from './fixtures/angler.ts'
import { aCustomer, confirmMailbox } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'

test('a role is given on the settings page by whoever proves that it is them; a packer finds the way in, and loses it', async ({
  angler,
  brother: { page },
  shop,
}) => {
  const customer = await aCustomer(shop)
  const { email } = customer
  await confirmMailbox(shop, customer)
  await page.goto('/admin/settings')
  const people = page.getByRole('region', { name: 'People' })
  const person = people.getByRole('listitem').filter({ hasText: email })
  const give = async (address: string) => {
    await people.getByLabel('E-mail of their account').fill(address)
    await people.getByRole('button', { name: 'Add', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Make a packer' })
      .getByRole('button', { name: 'Make packer' })
      .click()
  }
  await expect(people.getByRole('listitem').filter({ hasText: shop.admin.email })).toContainText('You')

  await give('nobody@example.com')
  await expect(people.getByText('Nobody has signed up with this e-mail address.')).toBeVisible()
  await expect(people.getByLabel('E-mail of their account')).toHaveValue('nobody@example.com')

  // The proof of this browser is from the worker's beginning; sooner or later the database finds it too old.
  await page.route('**/rest/v1/rpc/give_role', (route) => route.fulfill(PROVE_FIRST), { times: 1 })
  await give(email)
  const proof = page.getByRole('dialog', { name: 'Is it you?' })
  await proof.getByLabel('Password').fill('not-my-password')
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(proof.getByText('This is not your password.')).toBeVisible()
  await proof.getByLabel('Password').fill(shop.admin.password)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(/ is a packer$/)).toBeVisible()
  await expect(person).toContainText('Packer')

  await angler.page.goto('/auth')
  await angler.signIn({ email, password: PASSWORD })
  await angler.page.getByRole('button', { name: 'My Account' }).click()
  await angler.page.getByRole('link', { name: 'Admin Panel' }).click()
  await expect(angler.page).toHaveURL(/\/admin\/orders$/)

  await person.getByRole('button', { name: /^Remove access of/ }).click()
  await page
    .getByRole('dialog', { name: 'Remove access' })
    .getByRole('button', { name: 'Remove access' })
    .click()
  await expect(person).toHaveCount(0)
  await angler.page.reload()
  await expect(angler.page).toHaveURL(/\/auth|\/$/)
  await angler.page.goto('/')
  const asked = angler.page.waitForResponse(/user_roles.*packer/)
  await angler.page.getByRole('button', { name: 'My Account' }).click()
  await asked
  await expect(angler.page.getByRole('link', { name: 'Admin Panel' })).toHaveCount(0)

  await page.goto('/admin/history?thing=user_roles')
  const entries = page.getByRole('listitem')
  await expect(entries.first()).toContainText('relieved of a role')
  await expect(entries.first()).toContainText('packer')
})

const PROVE_FIRST = {
  status: 403,
  json: {
    code: 'PT403',
    message: 'Please prove once more that it is you.',
    details: 'not_proven_recently',
    hint: null,
  },
}
