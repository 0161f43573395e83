/** The interface of every engine's driver; `Walker` builds on it, so that a walk is written once. */
export interface Engine {
  readonly name: string
  readonly version: string
  resize(width: number, height: number): Promise<void>
  navigate(url: string): Promise<void>
  /** Evaluates an expression in the page, awaits it, and returns its value through JSON. */
  evaluate(expression: string): Promise<unknown>
  /** Presses and releases the main button at a point of the window. */
  clickAt(x: number, y: number): Promise<void>
  typeKeys(text: string): Promise<void>
  /** PNG of the window. */
  screenshot(): Promise<Buffer>
  /** Console errors so far. */
  consoleErrors(): string[]
  close(): Promise<void>
}

export interface EngineStarter {
  name: string
  /** What is missing on this machine, or `null` if the engine can start. */
  missing(): string | null
  start(): Promise<Engine>
}

/** Keys that are named rather than typed, by their code points in the WebDriver standard. */
export const ESCAPE = '\uE00C'
export const SELECT_ALL = '\uE009a\uE009'

/** Key presses for `typeKeys`; a modifier stays pressed until it occurs again. */
export function keyActions(text: string): { type: 'keyDown' | 'keyUp'; value: string }[] {
  let isControlDown = false
  return Array.from(text).flatMap((value) => {
    if (value !== '\uE009')
      return [
        { type: 'keyDown' as const, value },
        { type: 'keyUp' as const, value },
      ]
    isControlDown = !isControlDown
    return [{ type: isControlDown ? ('keyDown' as const) : ('keyUp' as const), value }]
  })
}

export function pressActions(x: number, y: number) {
  return [
    { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
}
