import { z } from 'zod'

/** Names of the Automation domain for keys that type nothing. */
const VIRTUAL_KEYS: Record<string, string> = {
  Shift: 'Shift',
  Control: 'Control',
  Alt: 'Alternate',
  Meta: 'Meta',
  Enter: 'Return',
  Tab: 'Tab',
  Escape: 'Escape',
  Backspace: 'Backspace',
  Delete: 'Delete',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  ArrowLeft: 'LeftArrow',
  ArrowUp: 'UpArrow',
  ArrowRight: 'RightArrow',
  ArrowDown: 'DownArrow',
}

const keySchema = z.object({ type: z.enum(['keyDown', 'keyUp']), key: z.string() })
const mouseSchema = z.object({
  type: z.enum(['move', 'down', 'up']),
  button: z.enum(['none', 'left', 'middle', 'right']),
  x: z.number(),
  y: z.number(),
})
const wheelSchema = z.object({ x: z.number(), y: z.number(), deltaX: z.number(), deltaY: z.number() })

const BUTTONS = { none: 'None', left: 'Left', middle: 'Middle', right: 'Right' }
const INTERACTIONS = { move: 'Move', down: 'Down', up: 'Up' }
const SOURCES = { keys: 'Keyboard', mouse: 'Mouse', wheel: 'Wheel' }

/** What is pressed now; WebKit compares each new state with the previous one. */
export class Input {
  readonly #virtualKeys = new Set<string>()
  #character: string | undefined
  #button: keyof typeof BUTTONS = 'none'

  key(params: unknown): object {
    const { type, key } = keySchema.parse(params)
    const virtual = VIRTUAL_KEYS[key]
    if (virtual) this.#virtualKeys[type === 'keyDown' ? 'add' : 'delete'](virtual)
    else this.#character = type === 'keyDown' ? key : undefined
    return sequence('keys', {
      ...(this.#virtualKeys.size > 0 ? { pressedVirtualKeys: [...this.#virtualKeys] } : {}),
      ...(this.#character === undefined ? {} : { pressedCharKey: this.#character }),
    })
  }

  mouse(params: unknown): object {
    const { type, button, x, y } = mouseSchema.parse(params)
    if (type === 'down') this.#button = button
    if (type === 'up') this.#button = 'none'
    return sequence('mouse', {
      ...at(x, y),
      ...(this.#button === 'none' ? {} : { pressedButton: BUTTONS[this.#button] }),
      mouseInteraction: INTERACTIONS[type],
    })
  }
}

export function wheel(params: unknown): object {
  const { x, y, deltaX, deltaY } = wheelSchema.parse(params)
  return sequence('wheel', { ...at(x, y), delta: { width: deltaX, height: deltaY } })
}

const at = (x: number, y: number) => ({
  origin: 'Viewport',
  location: { x: Math.round(x), y: Math.round(y) },
})

function sequence(sourceId: keyof typeof SOURCES, state: object): object {
  return {
    steps: [{ states: [{ sourceId, ...state }] }],
    inputSources: [{ sourceId, sourceType: SOURCES[sourceId] }],
  }
}
