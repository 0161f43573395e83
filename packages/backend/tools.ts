/** For the scripts of an application, which read and write its source files. */
export { freezeNewFiles } from './database/upgrade/checksums.ts'
export { generateTypes } from './types/write-types.ts'
export { linkPostgresLibraries } from './database/binaries.ts'
