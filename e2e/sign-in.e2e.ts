import type { Page } from '@playwright/test'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { type Angler, PASSWORD } from './fixtures/angler.ts'
import { totp } from './fixtures/authenticator.ts'
import { aCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { followMailLink } from './fixtures/mail-link.ts'

const NEW_PASSWORD = 'a-better-one-43'

async function logIn(angler: Angler, { email, password }: { email: string; password: string }) {
  const { page } = angler
  await page.goto('/auth?redirect=/account/security')
  const form = page.getByRole('tabpanel', { name: 'Login' })
  await form.getByLabel('E-mail', { exact: true }).fill(email)
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Login' }).click()
}

test('a forgotten password is chosen anew through the mailbox', async ({ angler, shop }) => {
  const { page } = angler
  const { email } = await aCustomer(shop)

  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'E-mail me a link' }).click()
  await expect(page.getByText(`If there is an account for ${email}`)).toBeVisible()
  await followMailLink(page, shop.mailbox, { to: email, subject: /new password/ })
  await page.getByLabel('New password').fill('12345')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page).toHaveURL('/account')

  await angler.signOut()
  await logIn(angler, { email, password: PASSWORD })
  await expect(page.getByText('Login failed')).toBeVisible()
  await logIn(angler, { email, password: NEW_PASSWORD })
  await expect(page).toHaveURL('/account/security')
})

test('a password that was asked for on one device is chosen on another, where the mail is opened', async ({
  angler,
  browser,
  shop,
}) => {
  const { page } = angler
  const { email } = await aCustomer(shop)
  await page.goto('/auth/forgot-password')
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'E-mail me a link' }).click()
  await expect(page.getByText(`If there is an account for ${email}`)).toBeVisible()

  const phone = await browser.newContext({ baseURL: shop.url })
  try {
    const phonePage = await phone.newPage()
    await followMailLink(phonePage, shop.mailbox, { to: email, subject: /new password/ })
    await phonePage.getByLabel('New password').fill(NEW_PASSWORD)
    await phonePage.getByRole('button', { name: 'Change password' }).click()
    await expect(phonePage).toHaveURL('/account')
  } finally {
    await phone.close()
  }
  await logIn(angler, { email, password: NEW_PASSWORD })
  await expect(page).toHaveURL('/account/security')
})

test('nobody learns whether an address has an account, and a spent link says so', async ({ page, shop }) => {
  const nobody = `nobody-${crypto.randomUUID()}@example.com`
  await page.goto('/auth/forgot-password')
  await page.getByLabel('E-mail', { exact: true }).fill(nobody)
  await page.getByRole('button', { name: 'E-mail me a link' }).click()
  await expect(page.getByText(`If there is an account for ${nobody}`)).toBeVisible()
  expect(shop.mailbox.mails.filter(({ recipients }) => recipients.includes(nobody))).toEqual([])

  const redirect = encodeURIComponent(`${shop.url}/auth/new-password`)
  await page.goto(`/auth/v1/confirm?token=0123abcd&type=recovery&redirect_to=${redirect}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
})

test('an address is changed once both mailboxes have agreed', async ({ angler, shop }) => {
  const { page } = angler
  const { email } = await aCustomer(shop)
  const newEmail = `new-${email}`
  await logIn(angler, { email, password: PASSWORD })
  await page.getByRole('button', { name: 'Change e-mail' }).click()
  await page.getByLabel('New e-mail').fill(newEmail)
  await page.getByRole('button', { name: 'Mail me the links' }).click()
  await expect(page.getByText('Waiting for both mailboxes')).toBeVisible()

  await followMailLink(page, shop.mailbox, { to: email, subject: /moving to another address/ })
  await expect(page.getByRole('heading', { name: 'Half way there' })).toBeVisible()
  await followMailLink(page, shop.mailbox, { to: newEmail, subject: /Confirm your new e-mail/ })
  await expect(page.getByRole('heading', { name: 'Your e-mail is confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'To my account' }).click()
  await page.getByRole('link', { name: 'Sign-in and security' }).click()
  await expect(page.getByText(`You sign in with ${newEmail}`)).toBeVisible()
})

test('a sign-in asks for the authenticator app, or a recovery code; before that nothing personal opens', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const { email } = await aCustomer(shop)
  await logIn(angler, { email, password: PASSWORD })
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const key = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).innerText()
  await page.getByLabel('Code').fill(totp(key))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByRole('button', { name: 'Get recovery codes' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  const recoveryCode = await codes.getByRole('listitem').first().innerText()
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 of 10 are left')).toBeVisible()

  await angler.signOut()
  await logIn(angler, { email, password: PASSWORD })
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This code is not right')).toBeVisible()
  // The code of the moment has been used; an app whose clock is ahead shows the next one.
  await page.getByLabel('Code').fill(totp(key, 1))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/account')

  await angler.signOut()
  await logIn(angler, { email, password: PASSWORD })
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('9 of 10 are left')).toBeVisible()
})

/** Chromium's own stand-in for a fingerprint reader. */
async function connectAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is added, asked for at sign-in, and proves who deletes the account', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const { email } = await aCustomer(shop)
  await logIn(angler, { email, password: PASSWORD })
  await connectAuthenticator(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()

  await angler.signOut()
  await logIn(angler, { email, password: PASSWORD })
  await page.getByRole('button', { name: /^Use passkey/ }).click()
  await expect(page).toHaveURL('/account/security')
  await expect(page.getByText(/^Passkey, Chrome/)).toBeVisible()

  await page.getByRole('link', { name: 'Data and privacy' }).click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByLabel('Type DELETE').fill('delete')
  await page.getByRole('button', { name: 'Delete my account for good' }).click()
  await page.getByRole('button', { name: /^Use passkey/ }).click()
  await expect(page.getByText('Your account is deleted')).toBeVisible()
})

test('another sign-in is seen and ended', async ({ angler, shop }) => {
  const { page } = angler
  const { client, email } = await aCustomer(shop)
  await logIn(angler, { email, password: PASSWORD })
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)

  await sessions.getByRole('button', { name: 'End' }).click()

  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect((await client.auth.getUser()).error).not.toBeNull()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test.describe('where sign-ups are confirmed by mail', () => {
  let careful: RunningShop
  test.beforeAll(async ({ shop }) => {
    careful = await startShop({ SMTP_URL: shop.mailbox.smtpUrl, CONFIRM_SIGN_UPS: 'true' })
  })
  test.afterAll(() => careful.stop())

  test('the link of the mail signs in, and a spent one says so', async ({ angler, shop }) => {
    const { page, email } = angler
    await page.goto(`${careful.url}/auth`)
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    const form = page.getByRole('tabpanel', { name: 'Sign Up' })
    await form.getByLabel('Full Name').fill(angler.name)
    await form.getByLabel('E-mail', { exact: true }).fill(email)
    await form.getByLabel('Password').fill(PASSWORD)
    await form.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByText('Account created successfully! You can now log in.')).toBeVisible()
    await expect(page.getByText(`We have e-mailed a link to ${email}`)).toBeVisible()

    await followMailLink(page, shop.mailbox, { to: email, subject: /Confirm your e-mail/ })
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()

    await angler.signOut(careful.url)
    await followMailLink(page, shop.mailbox, { to: email, subject: /Confirm your e-mail/ })
    await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  })
})

test('a sign-up that is pressed again and again makes one account, and is told once', async ({ angler }) => {
  const { page } = angler
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/auth/v1/signup')) sent += 1
  })
  await page.goto('/auth', { waitUntil: 'networkidle' })
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await form.getByLabel('Full Name').fill(angler.name)
  await form.getByLabel('E-mail', { exact: true }).fill(angler.email)
  await form.getByLabel('Password').fill(PASSWORD)

  await form.locator('button[type=submit]').evaluate((button: HTMLButtonElement) => {
    setInterval(() => button.click(), 1)
  })

  await expect(page).toHaveURL('/')
  await expect(page.getByText('Account created successfully! You can now log in.')).toHaveCount(1)
  await expect(page.getByText('Signup failed')).toHaveCount(0)
  expect(sent).toBe(1)
})
