import type { Page } from '@playwright/test'
import type { ShopClient } from '#database'
import { type Angler, PASSWORD } from './fixtures/angler.ts'
import { totp } from './fixtures/authenticator.ts'
import { signUpCustomer, signInOverApi } from './fixtures/customer.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { openMailLink } from './fixtures/mail-link.ts'
import { expectNotDismissible } from './fixtures/not-dismissible.ts'
import { queryDatabase } from './fixtures/shop-database.ts'
import { signInAs } from './fixtures/signed-in.ts'
import type { OpenShop } from './shop.ts'

const NEW_PASSWORD = 'a-better-one-43'

async function logIn(angler: Angler, { email, password }: { email: string; password: string }) {
  const { page } = angler
  await page.goto('/auth?redirect=/account/security')
  const form = page.getByRole('tabpanel', { name: 'Login' })
  await form.getByLabel('E-mail', { exact: true }).fill(email)
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Login' }).click()
}

test('a customer resets a forgotten password once through a mailed link on any device', async ({
  angler,
  browser,
  shop,
}) => {
  const { page } = angler
  const { email } = await signUpCustomer(shop)
  const other = await signUpCustomer(shop)
  const stranger = `nobody-${crypto.randomUUID()}@example.com`
  const askFor = async (address: string) => {
    await page.getByLabel('E-mail', { exact: true }).fill(address)
    await page.getByRole('button', { name: 'E-mail me a link' }).click()
    await expect(page.getByText(`If there is an account for ${address}`)).toBeVisible()
  }

  await test.step('the password reset page does not reveal whether an address has an account', async () => {
    await page.goto('/auth')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
    await askFor(stranger)
    await page.goto('/auth/forgot-password')
    await askFor(email)
  })

  await test.step('the password reset link opens a page that requires six or more characters', async () => {
    await openMailLink(page, shop.mailbox, { to: email, subject: /new password/ })
    await page.getByLabel('New password').fill('12345')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page).toHaveURL('/account')
    expect(shop.mailbox.mails.filter(({ recipients }) => recipients.includes(stranger))).toEqual([])
  })

  await test.step('the page of a followed reset link offers a new link after a sign-out', async () => {
    await angler.signOut('/faq')
    await page.goto('/auth/new-password#followed=recovery')

    await expect(page.getByRole('link', { name: 'E-mail me a new link' })).toBeVisible()
  })

  await test.step('the sign-in accepts only the new password', async () => {
    await logIn(angler, { email, password: PASSWORD })
    await expect(page.getByText('Login failed')).toBeVisible()
    await logIn(angler, { email, password: NEW_PASSWORD })
    await expect(page).toHaveURL('/account/security')
  })

  await test.step('the password reset link works on another device, and a used link shows a message', async () => {
    await other.client.auth.resetPasswordForEmail(other.email, {
      redirectTo: `${shop.url}/auth/new-password`,
    })
    const phone = await (await browser.newContext()).newPage()
    await openMailLink(phone, shop.mailbox, { to: other.email, subject: /new password/ })
    await expect(phone.getByLabel('New password')).toBeVisible()
    await openMailLink(phone, shop.mailbox, { to: email, subject: /new password/ })
    await expect(phone.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
    await phone.context().close()
  })
})

test('a customer ends other sessions, and changes the password and the e-mail address', async ({
  page,
  shop,
}) => {
  const { client, email, userId } = await signUpCustomer(shop)

  await test.step('a browser whose session ended on another device asks for a new sign-in', async () => {
    for (const path of ['/checkout', '/account/details']) {
      // oxlint-disable no-await-in-loop -- one session after the other
      const ended = await signInOverApi(shop, email)
      await signInAs(page, { shop, client: ended })
      await client.auth.signOut({ scope: 'others' })
      await page.goto(path)
      await expect(page).toHaveURL(`/auth?redirect=${encodeURIComponent(path)}`)
      // oxlint-enable no-await-in-loop
    }
  })

  const otherSession = await signInOverApi(shop, email)
  await signInAs(page, { shop, client })
  await page.goto('/account/security')

  await test.step('a customer lists sessions and ends another session', async () => {
    const sessions = page.getByRole('region', { name: 'Where you are signed in' })
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
    await sessions.getByRole('button', { name: 'End session' }).click()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    expect((await otherSession.auth.getUser()).error).not.toBeNull()
  })

  await test.step('a mailed code works until it changes the password, and a new one replaces a used one', async () => {
    await queryDatabase(
      shop,
      `update auth.sessions set created_at = now() - interval '2 days' where user_id = $1`,
      [userId],
    )
    const code = page.getByLabel('Code from your mailbox')
    const changeTo = async (password: string, typed?: string) => {
      await page.getByLabel('New password').fill(password)
      if (typed) await code.fill(typed)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await changeTo(PASSWORD)
    const used = await mailedCode(shop, email)
    await changeTo(PASSWORD, used)
    await expect(page.getByText('This is your present password.')).toBeVisible()
    await changeTo('a-second-one-44')
    await expect(code).toBeHidden()

    await changeTo(NEW_PASSWORD)
    await expect(page.getByText('We couldn’t send another e-mail so soon.')).toBeVisible()
    await changeTo(NEW_PASSWORD, used)
    await expect(page.getByText('This code is wrong')).toBeVisible()
    await expect(code).toHaveValue('')
    await queryDatabase(shop, `delete from auth.rate_limits where bucket = 'mail reauthentication'`)
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await expect(page.getByText('New code sent')).toBeVisible()
    await changeTo(NEW_PASSWORD, await mailedCode(shop, email, used))
    await expect(code).toBeHidden()
  })

  await test.step('an account’s e-mail address changes after both mailboxes confirm', async () => {
    const newEmail = `new-${email}`
    await page.getByRole('button', { name: 'Change e-mail' }).click()
    await page.getByLabel('New e-mail').fill(newEmail)
    await page.getByRole('button', { name: 'Send the links' }).click()
    await expect(page.getByText('To finish the change, open the links')).toBeVisible()

    await openMailLink(page, shop.mailbox, { to: email, subject: /change of e-mail address/ })
    await expect(page.getByRole('heading', { name: 'Almost done' })).toBeVisible()
    await openMailLink(page, shop.mailbox, { to: newEmail, subject: /Confirm your new e-mail/ })
    await expect(page.getByRole('heading', { name: 'Your e-mail is confirmed' })).toBeVisible()
    await page.getByRole('link', { name: 'Go to my account' }).click()
    await page.getByRole('link', { name: 'Sign-in and security' }).click()
    await expect(page.getByText(`You sign in with ${newEmail}`)).toBeVisible()
  })

  await test.step('a customer who signs out everywhere goes to the home page in every tab', async () => {
    const secondTab = await page.context().newPage()
    await secondTab.goto('/account/details')
    await expect(secondTab.getByLabel('City')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    for (const tab of [page, secondTab]) await expect(tab).toHaveURL('/')
  })
})

const codeIn = (subject = '') => /^(\d{6}) is your/.exec(subject)?.[1]

/** Waits for a mailed code other than `earlier`. */
async function mailedCode(shop: OpenShop, email: string, earlier?: string): Promise<string> {
  const { subject } = await shop.mailbox.waitFor(
    (mail) => mail.recipients.includes(email) && ![undefined, earlier].includes(codeIn(mail.subject)),
  )
  return codeIn(subject) ?? ''
}

test('a sign-in requires the authenticator app or a recovery code before personal pages open', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const { client, email, userId } = await signUpCustomer(shop)
  await queryDatabase(
    shop,
    `update auth.mfa_amr_claims set updated_at = now() - interval '1 hour'
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [userId],
  )
  await client.auth.refreshSession()
  await signInAs(page, { shop, client })
  await page.goto('/account/security')
  const add = page.getByRole('button', { name: 'Add an authenticator app' })
  const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await test.step('nothing is added when the customer dismisses the password’s dialog while it is checked', async () => {
    const proofs = countAnswers(page, '/auth/v1/token')
    const enrolments = countAnswers(page, FACTORS)
    await add.click()
    await expect(proof.getByLabel('Password')).toBeFocused()
    const release = await holdResponses(page, /\/auth\/v1\/token\?grant_type=password/, { times: 1 })
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(proof.getByRole('button', { name: 'Checking...' })).toBeVisible()
    await proof.getByRole('button', { name: 'Close' }).click()
    await release()
    await expect.poll(proofs).toBe(1)
    await afterTwoFrames(page)
    await refuseOnce(page, FACTORS)
    await add.click()
    await proof.getByLabel('Password').fill(PASSWORD)
    await proof.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('dialog', { name: 'Authenticator app' })).toBeVisible()
    expect(enrolments(), 'two refusals and the enrolment').toBe(3)
  })
  const shownKey = page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/)
  await test.step('a new app’s key expires', async () => {
    const expiredKey = await shownKey.innerText()
    await queryDatabase(
      shop,
      `update auth.mfa_factors set created_at = now() - interval '11 minutes' where user_id = $1`,
      [userId],
    )
    await page.getByLabel('Code').fill(totp(expiredKey))
    await page.getByRole('button', { name: 'Turn it on' }).click()
    await expect(page.getByText('This key has expired.')).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).click()
    await add.click()
  })
  const key = await shownKey.innerText()
  await test.step('the dialog of a new app cannot be dismissed while its first code is checked', async () => {
    const release = await holdResponses(page, VERIFICATION, { times: 1 })
    await page.getByLabel('Code').fill(totp(key))
    await page.getByRole('button', { name: 'Turn it on' }).click()
    await expectNotDismissible(page.getByRole('dialog', { name: 'Authenticator app' }), 'Close')
    await release()
  })
  await page.getByRole('button', { name: 'Get recovery codes' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  const recoveryCode = await codes.getByRole('listitem').first().innerText()
  const anotherCode = await codes.getByRole('listitem').last().innerText()
  await codes.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('10 of 10 are left')).toBeVisible()

  await angler.forgetSession()
  await logIn(angler, { email, password: PASSWORD })
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This code is wrong')).toBeVisible()
  // The current code has been used, so use the next one, as an app with a fast clock would.
  await page.getByLabel('Code').fill(totp(key, 1))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/account')

  await angler.forgetSession()
  await logIn(angler, { email, password: PASSWORD })
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('9 of 10 are left')).toBeVisible()

  await intercept(page, '**/auth/v1/factors/*', (route) => route.fulfill(PROVE_FIRST), { times: 1 })
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await proof.getByRole('button', { name: 'Use a recovery code' }).click()
  await proof.getByLabel('Recovery code').fill(anotherCode)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Authenticator app removed')).toBeVisible()
})

test(
  'a customer with two authenticator apps chooses the app that shows the code',
  { tag: '@long' },
  async ({ angler, shop }) => {
    const { page } = angler
    const { client, email } = await signUpCustomer(shop)
    await addApp(client, 'Old phone')
    const secret = await addApp(client, 'New phone')

    await logIn(angler, { email, password: PASSWORD })
    await page.getByLabel('Authenticator app').selectOption('New phone')
    await page.getByLabel('Code').fill(totp(secret, 1))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL('/account/security')
  },
)

/** Returns the app's secret. Uses its code of the present half minute. */
async function addApp({ auth }: ShopClient, friendlyName: string): Promise<string> {
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  const { secret } = data.totp
  await auth.mfa.challengeAndVerify({ factorId: data.id, code: totp(secret) })
  return secret
}

/** The refusal of a change of second factors that needs a recent proof. */
const PROVE_FIRST = {
  status: 400,
  headers: { 'X-Supabase-Api-Version': '2024-01-01' },
  json: { code: 'reauthentication_needed', message: 'This change requires reauthentication' },
}

const FACTORS = '/auth/v1/factors'
const VERIFICATION = /\/auth\/v1\/factors\/.*\/verify/

/** Refuses the next POST to `path` until the user has reauthenticated. */
async function refuseOnce(page: Page, path: string): Promise<void> {
  await intercept(
    page,
    (address) => address.pathname === path,
    (route) => (route.request().method() === 'POST' ? route.fulfill(PROVE_FIRST) : route.fallback()),
    { times: 1 },
  )
}

/** Returns a function that tells how many POSTs to `path` have been answered since. */
function countAnswers(page: Page, path: string): () => number {
  let count = 0
  page.on('response', (response) => {
    const isCounted = response.request().method() === 'POST' && new URL(response.url()).pathname === path
    if (isCounted) count += 1
  })
  return () => count
}

/** Chromium's virtual authenticator replaces a fingerprint reader. */
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

test('a customer adds a passkey, signs in with the passkey and confirms the account’s deletion', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const { client, email, userId } = await signUpCustomer(shop)
  await signInAs(page, { shop, client })
  await page.goto('/account/security')
  await connectAuthenticator(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()
  const left = await queryDatabase(shop, 'select status from auth.mfa_factors where user_id = $1', [userId])
  expect(left, 'no factor is left of the passkey that was not added').toEqual([{ status: 'verified' }])

  await angler.forgetSession()
  await logIn(angler, { email, password: PASSWORD })
  await page.getByRole('button', { name: /^Use passkey/ }).click()
  await expect(page).toHaveURL('/account/security')
  await expect(page.getByText(/^Passkey, Chrome/)).toBeVisible()
  for (const [path, button, done] of [
    ['factors', 'Add a passkey', 'This device already has a passkey for your account.'],
    ['factors/recovery-codes', 'Get recovery codes', 'Keep these somewhere safe'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one dialog after another
    await test.step(`proves the passkey before “${button}”`, async () => {
      await refuseOnce(page, `/auth/v1/${path}`)
      await page.getByRole('button', { name: button }).click()
      await page
        .getByRole('dialog', { name: 'Confirm that it’s you' })
        .getByRole('button', { name: /^Use passkey/ })
        .click()
      await expect(page.getByText(done)).toBeVisible()
    })
  }
  await page.getByRole('button', { name: 'I’ve saved them' }).click()

  await page.getByRole('link', { name: 'Data and privacy' }).click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const closing = page.getByRole('dialog', { name: 'Delete my account?' })
  const confirm = async () => {
    await page.getByLabel('Type DELETE').fill('delete')
    await page.getByRole('button', { name: 'Delete my account for good' }).click()
    await page.getByRole('button', { name: /^Use passkey/ }).click()
  }
  await test.step('the account stays when the customer dismisses the question while the passkey is checked', async () => {
    const closings = countAnswers(page, '/rest/v1/rpc/close_account')
    const proven = page.waitForResponse(VERIFICATION)
    const release = await holdResponses(page, VERIFICATION, { times: 1 })
    await confirm()
    await closing.getByRole('button', { name: 'Close' }).click()
    await release()
    await (await proven).finished()
    await afterTwoFrames(page)
    const releaseClosing = await holdResponses(page, '**/rpc/close_account')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await confirm()
    await expect(closing.getByText('Deleting your account...')).toBeVisible()
    await expectNotDismissible(closing, 'Close')
    await releaseClosing()
    await expect(page.getByText('Your account is deleted')).toBeVisible()
    expect(closings()).toBe(1)
  })
})
