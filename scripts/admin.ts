import { resolve } from 'node:path'
import { DatabaseError } from 'pg'
import { makeSecondFactorOptional, revokeStaffRole, grantStaffRole, type RoleGrant } from '#server/admins.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { exitWithError, withStore } from '@saltfreak/backend'
import { loadEnvironment } from '#server/environment.ts'
import { parseSettings } from '#server/settings.ts'

const [command, email, as = 'admin'] = process.argv.slice(2)

try {
  const projectFolder = resolve(import.meta.dirname, '..')
  const settings = parseSettings(loadEnvironment(process.env, projectFolder), projectFolder)
  process.exitCode = await withStore(settings, await shopApplication(), async ({ database: { owner } }) => {
    if (command === 'second-step' && email === 'optional') {
      await makeSecondFactorOptional(owner)
      return print('Admins may come in without a second step.')
    }
    if (!email) return usage()
    if (command === 'grant' && (as === 'admin' || as === 'packer')) {
      const outcome = await grantStaffRole(owner, email, as)
      return outcome === 'granted'
        ? print(`${email} is ${as === 'admin' ? 'an admin' : 'a packer'}.`)
        : printError(errorText(outcome, { email, publicUrl: settings.publicUrl }))
    }
    if (command === 'revoke') {
      return (await revokeStaffRole(owner, email))
        ? print(`${email} does not work in the shop any more.`)
        : printError(`${email} does not work in the shop.`)
    }
    return usage()
  })
} catch (error) {
  if (error instanceof DatabaseError && error.detail === 'last_admin')
    process.exitCode = printError(error.message)
  else exitWithError(error)
}

function errorText(
  outcome: Exclude<RoleGrant, 'granted'>,
  { email: address, publicUrl }: { email: string; publicUrl: string },
): string {
  if (outcome === 'unknown') return `There is no account for ${address}. Sign up in the shop first.`
  return `${address} has not confirmed this e-mail address. Ask for a mail at ${publicUrl}/auth/forgot-password, open its link, then grant the role again.`
}

function usage(): number {
  return printError(
    'Usage: npm run admin -- grant <e-mail> [packer]\n       npm run admin -- revoke <e-mail>\n       npm run admin -- second-step optional',
  )
}

function print(line: string): number {
  console.log(line)
  return 0
}

function printError(line: string): number {
  console.error(line)
  return 1
}
