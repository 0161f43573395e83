import { afterAll, expect } from 'vitest'

/** Files share a process: a file that replaces the process's Response would break those after it. */
const { Response } = globalThis

afterAll(() => expect(globalThis.Response, 'this file replaced the global Response').toBe(Response))
