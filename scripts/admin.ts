import { resolve } from 'node:path'
import { allowOneFactor, grantAdmin, revokeAdmin } from '#server/admins.ts'
import { visitDatabase } from '#server/open-database.ts'
import { refuse } from '#backend/process/refusal.ts'
import { parseSettings } from '#server/settings.ts'

const [command, email] = process.argv.slice(2)

try {
  const settings = parseSettings(process.env, resolve(import.meta.dirname, '..'))
  process.exitCode = await visitDatabase(settings, async ({ owner }) => {
    if (command === 'second-step' && email === 'optional') {
      await allowOneFactor(owner)
      return say('Admins may come in without a second step.')
    }
    if (!email) return usage()
    if (command === 'grant') {
      return (await grantAdmin(owner, email))
        ? say(`${email} is an admin.`)
        : complain(`Nobody has signed up as ${email}: sign up in the shop first.`)
    }
    if (command === 'revoke') {
      return (await revokeAdmin(owner, email))
        ? say(`${email} is no admin any more.`)
        : complain(`${email} is no admin.`)
    }
    return usage()
  })
} catch (error) {
  refuse(error)
}

function usage(): number {
  return complain(
    'Usage: npm run admin -- grant <e-mail>\n       npm run admin -- revoke <e-mail>\n       npm run admin -- second-step optional',
  )
}

function say(line: string): number {
  console.log(line)
  return 0
}

function complain(line: string): number {
  console.error(line)
  return 1
}
