import { parseArgs } from 'node:util'
import type { z } from 'zod'

import { InvalidSettings } from '#backend/process/invalid-settings.ts'
import { helpOn, OPTION_GROUPS, optionsSchema, type OptionName, type Options } from './options.ts'

const NAMES = optionsSchema.keyof().options
const COMMANDS = ['help', 'print-keys'] as const

type Command = 'serve' | (typeof COMMANDS)[number]

export interface CommandLine {
  command: Command
  options: () => Options
}

/** Flags override the environment. `options` validates lazily, so that `--help` needs no valid options. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): CommandLine {
  const flags = parseFlags(args)
  return {
    command: COMMANDS.find((name) => flags[name] === true) ?? 'serve',
    options: () => parse(flags, env),
  }
}

type Flags = Partial<Record<string, string | boolean>>

function parseFlags(args: string[]): Flags {
  const switches = NAMES.filter((name) => helpOn(optionsSchema.shape[name]).isSwitch).map(flagName)
  const kinds = NAMES.map((name) => {
    const flag = flagName(name)
    return [flag, { type: switches.includes(flag) ? 'boolean' : 'string' }] as const
  })
  const commands = COMMANDS.map((name) => [name, { type: 'boolean' }] as const)
  try {
    const { values } = parseArgs({
      args: args.map((arg) => normalizeFlag(arg, switches)),
      options: Object.fromEntries<{ type: 'string' | 'boolean' }>([...kinds, ...commands]),
      allowNegative: true,
    })
    return values
  } catch (error) {
    if (error instanceof TypeError) throw new InvalidSettings(`${error.message}\n(--help lists all options)`)
    throw error
  }
}

/** Converts `--autoconfirm=false` to `--no-autoconfirm`. */
function normalizeFlag(arg: string, switches: string[]): string {
  const [, name = '', value] = /^--([\w-]+)=(true|false)$/.exec(arg) ?? []
  if (!switches.includes(name)) return arg
  return value === 'true' ? `--${name}` : `--no-${name}`
}

function parse(flags: Flags, env: NodeJS.ProcessEnv): Options {
  const given = Object.fromEntries(NAMES.map((name) => [name, valueOf(name, flags, env)]))
  const parsed = optionsSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])))
  const lines = NAMES.filter((name) => wrong.has(name)).map((name) =>
    describeInvalidOption(name, given[name]),
  )
  throw new InvalidSettings(lines.join('\n'))
}

/** Treats an empty variable as absent. */
function valueOf(name: OptionName, flags: Flags, env: NodeJS.ProcessEnv): string | undefined {
  const flag = flags[flagName(name)]
  return flag === undefined ? env[name]?.trim() || undefined : String(flag)
}

function describeInvalidOption(name: OptionName, value: string | undefined): string {
  const { expects, isSecret } = helpOn(optionsSchema.shape[name])
  const found = value === undefined || isSecret ? '' : `, not "${value}"`
  return `--${flagName(name)} (or ${name}) must be ${expects}${found}`
}

function flagName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}

export function helpText(): string {
  const sections = Object.entries(OPTION_GROUPS).map(
    ([group, options]) => `${group}\n${Object.entries(options).map(describeOption).join('\n')}`,
  )
  return `saltfreak-backend --database-url URL [--port N] [options]

Serves a PostgreSQL database to the official client: data, accounts, files, functions and live changes. Every option can also
be set in the environment: --max-rows 500 is MAX_ROWS=500. The first start, also with --print-keys, prepares the database: the
roles, the services' schemas (auth, storage, realtime and internal ones), the extensions pgcrypto, uuid-ossp and
pg_stat_statements, the publication supabase_realtime, and the use of the schema public by the roles.

${sections.join('\n\n')}

Instead of serving
  --print-keys
      print the publishable and the secret key as JSON
  --help
      print this help
`
}

function describeOption([name, schema]: [string, z.ZodType]): string {
  const { description, isSwitch } = helpOn(schema)
  const flag = `--${flagName(name)}`
  return `  ${isSwitch ? `${flag}, --no-${flagName(name)}` : `${flag} …`}\n      ${description}`
}
