/** What `loadBackend` returns to the code of a browser under test. */
export const browser: { client: unknown } = { client: undefined }

/**
 * Takes the place of `#app/data/backend.ts`. There is one for all files that mock it, because the modules that a process has loaded keep
 * their first one: such files can share a process.
 */
export const browserBackend = {
  loadBackend: async () => browser.client,
  setPublishableKey: () => undefined,
}
