interface Pointed {
  target: unknown
  currentTarget: { getBoundingClientRect: () => Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'> }
  clientX: number
  clientY: number
}

/**
 * Returns two functions for the pointer events of a dialog: `begin` for `pointerdown`, and `isComplete` for `click`, which returns
 * whether the press began and ended on the backdrop. A selection of text that ends there is a click on the dialog too, because browsers
 * send the click to what contains both ends of the press.
 */
export function backdropPress() {
  let hasBegun = false
  return {
    begin: (event: Pointed) => void (hasBegun = isOnBackdrop(event)),
    isComplete: (event: Pointed) => hasBegun && isOnBackdrop(event),
  }
}

/** Browsers send the pointer events of a backdrop to its dialog. */
function isOnBackdrop({ target, currentTarget, clientX, clientY }: Pointed): boolean {
  if (target !== currentTarget) return false
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
