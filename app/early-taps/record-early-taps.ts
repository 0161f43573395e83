/** An interaction before hydration. */
export type EarlyEvent =
  | { kind: 'press'; target: HTMLButtonElement; feedback: Animation }
  | { kind: 'type'; target: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement; value: string }
  | { kind: 'choose'; target: HTMLInputElement }
  | { kind: 'tick'; target: HTMLInputElement; checked: boolean }
  | { kind: 'submit'; target: HTMLFormElement; submitter: HTMLElement | null }

declare global {
  interface Window {
    /** Replays recorded events in order, including those that arrive meanwhile, then stops recording. Deleted when done. */
    replayEarlyTaps?: (replay: (early: EarlyEvent) => void) => Promise<void>
  }
}

/**
 * Records clicks, input and form submissions between the first paint and hydration; `EarlyTaps` replays them. Prevents the
 * submission of forms without an action: the browser would put a password into the address. Links, and forms with an action,
 * work without scripts.
 *
 * The page carries this function's source inline, so it must not reference anything outside itself.
 */
export function recordEarlyTaps(): void {
  const recorded: EarlyEvent[] = []
  let isHydrated = false
  let isReplaying = false

  const record = (event: Event, early: EarlyEvent) => {
    recorded.push(early)
    // React must not handle this event before the earlier ones.
    if (isHydrated) event.stopImmediatePropagation()
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
    isHydrated = true
    // Each event waits for the update from the previous one, so that two clicks on plus add two.
    for (let early = recorded.shift(); early; early = recorded.shift()) {
      await new Promise((resolve) => setTimeout(resolve))
      isReplaying = true
      try {
        if (early.target.isConnected) replay(early)
      } catch (error) {
        // A failed replay must not stop the following ones.
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
