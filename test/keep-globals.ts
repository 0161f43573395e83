import { afterAll, afterEach, expect, vi } from 'vitest'

/** Files share a process: a file that replaces the process's Response would break those after it. */
const { Response } = globalThis

afterEach(() => vi.unstubAllGlobals())
afterAll(() => expect(globalThis.Response, 'this file replaced the global Response').toBe(Response))
