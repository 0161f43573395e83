/** A log for tests that look at behaviour, not at lines. */
export const quietLog = { debug() {}, info() {}, warn() {}, error() {} }
