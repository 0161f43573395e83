/**
 * Takes the place of `#app/data/backend.ts` in tests of code that runs in a browser. There is one for all files that mock it, because the
 * modules that a process has loaded keep their first one: such files can share a process.
 */
export const browser: { client: unknown } = { client: undefined }

export const loadBackend = async () => browser.client

export const setPublishableKey = () => undefined
