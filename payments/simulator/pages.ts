import { html } from 'hono/html'

import { formatTotal, centsFromRand } from '#domain/money.ts'
import { shop } from '#shop'

import { FAULTS } from './faults.ts'
import { page } from './page.ts'
import type { SimulatedPayment } from './simulated-payment.ts'

/** The payment page of a test buyer; works without scripts. */
export function paymentPage(
  { id, form, pf_payment_id }: SimulatedPayment,
  { isDeclined }: { isDeclined: boolean },
) {
  const amount = formatTotal(centsFromRand(form.amount ?? '0'))
  return page(
    'Test payment',
    html`<h1>Pay ${amount}</h1>
      <dl>
        <div>
          <dt>For</dt>
          <dd>${form.item_name}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>${shop.legal.name}</dd>
        </div>
        ${
          form.email_address
            ? html`<div>
                <dt>Receipt</dt>
                <dd>${form.email_address}</dd>
              </div>`
            : ''
        }
        <div>
          <dt>Payment</dt>
          <dd>${pf_payment_id}</dd>
        </div>
      </dl>
      ${isDeclined ? html`<p role="alert" class="declined">The bank declined this payment. Try again or cancel.</p>` : ''}
      <form method="post" action="/simulator/eng/process/payment/${id}">
        <button class="main" name="choice" value="pay">Pay ${amount}</button>
        <div class="pair">
          <button name="choice" value="cancel">Cancel</button>
          <button name="choice" value="fail">Fail</button>
        </div>
        <details>
          <summary>Simulate a fault</summary>
          <p>Each of these ends the payment and returns to the shop.</p>
          <ul>
            ${Object.entries(FAULTS).map(
              ([name, { label, explanation }]) =>
                html`<li>
                  <button name="choice" value="${name}" aria-describedby="${name}-does">${label}</button>
                  <span id="${name}-does">${explanation}</span>
                </li>`,
            )}
          </ul>
        </details>
      </form>`,
  )
}

export function endedPage({ status, form }: SimulatedPayment) {
  const isPaid = status === 'paid'
  return page(
    'Test payment',
    html`<h1>${isPaid ? 'This payment is complete' : 'This payment was cancelled'}</h1>
      <p>${form.item_name}</p>
      <p><a class="main" href="${isPaid ? form.return_url : form.cancel_url}">Back to the shop</a></p>`,
  )
}

export function problemPage(problem: string) {
  return page(
    'Test payment',
    html`<h1>This payment cannot start</h1>
      <p role="alert">${problem}</p>`,
  )
}
