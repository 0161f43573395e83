/** What a visitor did before the page came alive, in order. */
export type EarlyAct =
  | { kind: 'press'; target: HTMLButtonElement; feedback: Animation }
  | { kind: 'type'; target: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement; value: string }
  | { kind: 'tick'; target: HTMLInputElement; checked: boolean }
  | { kind: 'submit'; target: HTMLFormElement; submitter: HTMLElement | null }

declare global {
  interface Window {
    /** Ends the recording and hands over what was recorded. */
    takeEarlyTaps?: () => EarlyAct[]
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

  const onClick = ({ target }: Event) => {
    const button = target instanceof Element && target.closest('button')
    if (!button || button.popoverTargetElement || (button.type === 'submit' && button.form)) return
    const feedback = button.animate({ opacity: [1, 0.5] }, { duration: 100, fill: 'forwards' })
    acts.push({ kind: 'press', target: button, feedback })
  }
  const onInput = ({ target }: Event) => {
    const isInput = target instanceof HTMLInputElement
    if (isInput && ['checkbox', 'radio'].includes(target.type)) {
      acts.push({ kind: 'tick', target, checked: target.checked })
    } else if (isInput || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
      acts.push({ kind: 'type', target, value: target.value })
    }
  }
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.hasAttribute('action')) return
    event.preventDefault()
    acts.push({ kind: 'submit', target: form, submitter: event.submitter })
  }

  document.addEventListener('click', onClick, true)
  document.addEventListener('input', onInput, true)
  document.addEventListener('submit', onSubmit, true)
  window.takeEarlyTaps = () => {
    document.removeEventListener('click', onClick, true)
    document.removeEventListener('input', onInput, true)
    document.removeEventListener('submit', onSubmit, true)
    delete window.takeEarlyTaps
    return acts
  }
}
