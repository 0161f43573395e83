import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { errorMessage, InvalidSettings } from '@saltfreak/backend'
import { SECRET, settingsFilePath } from './settings.ts'

/**
 * Returns the environment with the settings of the project's `.env` (or of the file named by `ENV_FILE`) and the secrets of
 * `<NAME>_FILE` filled in. A variable of the process wins over the file. Throws InvalidSettings when a file cannot be read.
 */
export function loadEnvironment(env: NodeJS.ProcessEnv, projectFolder: string): NodeJS.ProcessEnv {
  const merged = withoutShadowed(settingsFile(env, projectFolder), env)
  return { ...merged, ...env, ...secretsFromFiles({ ...merged, ...env }, projectFolder) }
}

function settingsFile(env: NodeJS.ProcessEnv, projectFolder: string): NodeJS.ProcessEnv {
  const path = settingsFilePath(env, projectFolder)
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    // Only the default file may be absent: a shop without the file that it was given would start with other settings.
    if (codeOf(error) === 'ENOENT' && !env.ENV_FILE) return {}
    throw new InvalidSettings(`the settings file ${path} cannot be read: ${reasonOf(error)}`)
  }
}

/** Drops the other spelling of a secret that the process's own environment sets, so that the environment wins either way. */
function withoutShadowed(file: NodeJS.ProcessEnv, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const shadowed = new Set(SECRET.filter((name) => env[name] || env[`${name}_FILE`]))
  const isKept = ([name]: [string, string | undefined]) => !shadowed.has(name.replace(/_FILE$/, ''))
  return Object.fromEntries(Object.entries(file).filter(isKept))
}

function secretsFromFiles(env: NodeJS.ProcessEnv, projectFolder: string): Record<string, string> {
  const given = SECRET.filter((name) => env[`${name}_FILE`])
  return Object.fromEntries(
    given.map((name) => {
      if (env[name]) throw new InvalidSettings(`${name} and ${name}_FILE are both set: keep one of them`)
      return [name, readSecret(`${name}_FILE`, resolve(projectFolder, env[`${name}_FILE`] ?? ''))]
    }),
  )
}

function readSecret(variable: string, path: string): string {
  let secret: string
  try {
    secret = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new InvalidSettings(`${variable}: ${path} cannot be read: ${reasonOf(error)}`)
  }
  if (!secret) throw new InvalidSettings(`${variable}: ${path} is empty`)
  return secret
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'it does not exist'
    case 'EACCES':
      return 'this user may not read it'
    case 'EISDIR':
      return 'it is a folder'
    default:
      return errorMessage(error)
  }
}
