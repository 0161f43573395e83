import { parseArgs } from 'node:util'

import { WrongSettings } from '#backend/process/refusal.ts'
import { EXPLAINED, optionsSchema, type OptionName, type Options } from './options.ts'

const NAMES = optionsSchema.keyof().options
const COMMANDS = ['help', 'print-keys'] as const

export type Command = 'serve' | (typeof COMMANDS)[number]

export interface Given {
  command: Command
  options: () => Options
}

/** Flags win over the environment. Options are checked when they are asked for, so that help needs none. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Given {
  const flags = parseFlags(args)
  return {
    command: COMMANDS.find((name) => flags[name] === true) ?? 'serve',
    options: () => parse(flags, env),
  }
}

type Flags = Partial<Record<string, string | boolean>>

function parseFlags(args: string[]): Flags {
  const switches = NAMES.filter((name) => EXPLAINED[name].isSwitch).map(flagName)
  const kinds = NAMES.map((name) => {
    const flag = flagName(name)
    return [flag, { type: switches.includes(flag) ? 'boolean' : 'string' }] as const
  })
  const commands = COMMANDS.map((name) => [name, { type: 'boolean' }] as const)
  try {
    const { values } = parseArgs({
      args: args.map((arg) => asSwitch(arg, switches)),
      options: Object.fromEntries<{ type: 'string' | 'boolean' }>([...kinds, ...commands]),
      allowNegative: true,
    })
    return values
  } catch (error) {
    if (error instanceof TypeError) throw new WrongSettings(`${error.message}\n(--help lists what there is)`)
    throw error
  }
}

/** `--autoconfirm=false` says what `--no-autoconfirm` does. */
function asSwitch(arg: string, switches: string[]): string {
  const [, name = '', value] = /^--([\w-]+)=(true|false)$/.exec(arg) ?? []
  if (!switches.includes(name)) return arg
  return value === 'true' ? `--${name}` : `--no-${name}`
}

function parse(flags: Flags, env: NodeJS.ProcessEnv): Options {
  const given = Object.fromEntries(NAMES.map((name) => [name, givenValue(name, flags, env)]))
  const parsed = optionsSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])))
  const lines = NAMES.filter((name) => wrong.has(name)).map((name) => complaint(name, given[name]))
  throw new WrongSettings(lines.join('\n'))
}

/** An empty variable is an absent one. */
function givenValue(name: OptionName, flags: Flags, env: NodeJS.ProcessEnv): string | undefined {
  const flag = flags[flagName(name)]
  return flag === undefined ? env[name]?.trim() || undefined : String(flag)
}

function complaint(name: OptionName, value: string | undefined): string {
  const { expects, isSecret } = EXPLAINED[name]
  const found = value === undefined || isSecret ? '' : `, not "${value}"`
  return `--${flagName(name)} (or ${name}) must be ${expects}${found}`
}

function flagName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}

export function helpText(): string {
  const groups = Map.groupBy(NAMES, (name) => EXPLAINED[name].group)
  const sections = [...groups].map(
    ([group, names]) =>
      `${group}\n${names.map((name) => `  ${usageOf(name)}\n      ${EXPLAINED[name].says}`).join('\n')}`,
  )
  return `npm run backend -- --database-url URL [--port N] [options]

Serves a PostgreSQL database to the official client: data, accounts, files, functions and live changes. Every option may be
given by the environment instead: --max-rows 500 is MAX_ROWS=500. What is missing in the database (roles, the schemas auth,
storage and realtime) is made; nothing else in it is touched.

${sections.join('\n\n')}

Instead of serving
  --print-keys
      the publishable and the secret key as JSON
  --help
      this
`
}

function usageOf(name: OptionName): string {
  const flag = `--${flagName(name)}`
  return EXPLAINED[name].isSwitch ? `${flag}, --no-${flagName(name)}` : `${flag} …`
}
