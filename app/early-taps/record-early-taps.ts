/** What a visitor did before the page came alive, in order. */
export type EarlyAct =
  | { kind: 'press'; target: HTMLButtonElement; feedback: Animation }
  | { kind: 'type'; target: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement; value: string }
  | { kind: 'choose'; target: HTMLInputElement }
  | { kind: 'tick'; target: HTMLInputElement; checked: boolean }
  | { kind: 'submit'; target: HTMLFormElement; submitter: HTMLElement | null }

declare global {
  interface Window {
    /** Does what was recorded, in order, and what is done meanwhile after it; then the recording ends. */
    replayEarlyTaps?: (replay: (act: EarlyAct) => void) => Promise<void>
  }
}

/**
 * Remembers what is pressed, typed and sent between the first paint and the moment React listens; `EarlyTaps` does it then.
 * A form that has nowhere to go without scripts is not sent: the browser would write a password into the address.
 *
 * The page carries this function's source inline, so it uses nothing from outside itself. Links, and forms with an address,
 * need no help.
 */
export function recordEarlyTaps(): void {
  const acts: EarlyAct[] = []
  let isPageAlive = false
  let isReplaying = false

  const record = (event: Event, act: EarlyAct) => {
    acts.push(act)
    // React listens by now, and would hear this before what was done earlier.
    if (isPageAlive) event.stopImmediatePropagation()
  }
  const onClick = (event: Event) => {
    const { target } = event
    const button = target instanceof Element && target.closest('button')
    if (isReplaying || !button || button.popoverTargetElement || (button.type === 'submit' && button.form))
      return
    const feedback = button.animate({ opacity: [1, 0.5] }, { duration: 100, fill: 'forwards' })
    record(event, { kind: 'press', target: button, feedback })
  }
  const onInput = (event: Event) => {
    const { target } = event
    if (isReplaying) return
    const isInput = target instanceof HTMLInputElement
    if (isInput && ['checkbox', 'radio'].includes(target.type)) {
      record(event, { kind: 'tick', target, checked: target.checked })
    } else if (isInput && target.type === 'file') {
      record(event, { kind: 'choose', target })
    } else if (isInput || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
      record(event, { kind: 'type', target, value: target.value })
    }
  }
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target
    if (isReplaying || !(form instanceof HTMLFormElement) || form.hasAttribute('action')) return
    event.preventDefault()
    record(event, { kind: 'submit', target: form, submitter: event.submitter })
  }

  document.addEventListener('click', onClick, true)
  document.addEventListener('input', onInput, true)
  document.addEventListener('submit', onSubmit, true)
  window.replayEarlyTaps = async (replay) => {
    isPageAlive = true
    // One after the other, each after the page has answered the one before: a second press on plus adds to the first.
    for (let act = acts.shift(); act; act = acts.shift()) {
      await new Promise((resolve) => setTimeout(resolve))
      isReplaying = true
      try {
        if (act.target.isConnected) replay(act)
      } catch (error) {
        // What comes after it is done all the same.
        console.error(error)
      } finally {
        isReplaying = false
      }
    }
    document.removeEventListener('click', onClick, true)
    document.removeEventListener('input', onInput, true)
    document.removeEventListener('submit', onSubmit, true)
    delete window.replayEarlyTaps
  }
}
