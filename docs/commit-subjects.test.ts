import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

/** The last commit before version 1.0; later subjects are checked. */
const RULE_BEGINS_AFTER = 'cf6718e4'
const MAX_LENGTH = 72
/** Verbs in base form that look like another form. */
const VERBS =
  /^(Access|Address|Bring|Bypass|Compress|Cross|Discuss|Dismiss|Embed|Express|Feed|Focus|Miss|Need|Pass|Press|Proceed|Process|Seed|Speed|Suppress)$/
const OTHER_FORMS = /(?:ed|ing|s)$/
const NO_VERBS =
  /^(A|All|An|And|Another|Any|As|At|By|Each|Every|For|From|If|In|It|More|New|No|Not|Now|On|One|Only|Some|That|The|Then|There|These|This|To|Two|What|When|Where|Who|Why|With)$/

function isGoodSubject(subject: string): boolean {
  const [verb = ''] = subject.split(' ')
  const isVerb =
    /^[A-Z][a-z]+$/.test(verb) && !NO_VERBS.test(verb) && (VERBS.test(verb) || !OTHER_FORMS.test(verb))
  return isVerb && subject.includes(' ') && subject.length <= MAX_LENGTH && !subject.endsWith('.')
}

/** Null without git, and in a shallow clone that ends after the commit. */
function newSubjects(): string[] | null {
  try {
    const range = `${RULE_BEGINS_AFTER}..HEAD`
    return execFileSync('git', ['log', '--no-merges', '--format=%s', range], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .split('\n')
      .filter((subject) => subject !== '')
  } catch {
    return null
  }
}

describe('commit subjects', () => {
  it.each(['Limit V8 GC threads to spare cores', 'Process notices in order'])(
    'accepts the imperative commit subject %j',
    (subject) => {
      expect(isGoodSubject(subject)).toBe(true)
    },
  )

  it.each([
    'What is surely beyond a thousand is not counted up to it',
    'Fixed the planner estimates',
    'Counts are exact',
    'Search orders in one pass.',
    `Search orders ${'again and '.repeat(6)}again`,
    'Refactoring',
  ])('rejects the commit subject %j', (subject) => {
    expect(isGoodSubject(subject)).toBe(false)
  })

  it('finds only imperative commit subjects of at most 72 characters', ({ skip }) => {
    const subjects = newSubjects()
    if (subjects === null) return skip('the git history does not reach back to the rule')
    expect(subjects.filter((subject) => !isGoodSubject(subject))).toEqual([])
  })
})
