import type { ZxcvbnFactory } from "@zxcvbn-ts/core"

/** The owner of a password, as far as known. */
export interface PasswordOwner {
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly program?: string | undefined
}

/** Fewest guesses that a password must withstand: those of ten random characters, the shortest password allowed. */
const fewestGuesses = 1e10
/** Bounds on the work of one check: without them a password of 200 signs takes two seconds. */
const bounds = { maxLength: 64, l33tMaxSubstitutions: 10 }
/** Words that an attacker who sees the sign-in page would try. */
const productWords = ["laurel", "desk", "incentive", "program", "programme", "rewards", "reward", "points"]
const shortestWord = 3

let checker: Promise<ZxcvbnFactory> | undefined

/** Its dictionaries take 70 MB, so they are loaded when the first password is set. */
async function loadChecker(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ])
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    ...bounds,
  })
}

/** Sentences for zxcvbn's warnings. */
const warnings = new Map([
  ["straightRow", "it is a row of keys of the keyboard"],
  ["keyPattern", "it is a pattern of keys of the keyboard"],
  ["simpleRepeat", "it repeats the same characters"],
  ["extendedRepeat", "it repeats the same characters"],
  ["sequences", "it is a sequence such as abc or 123"],
  ["recentYears", "it consists mainly of a year"],
  ["dates", "it consists mainly of a date"],
  ["namesByThemselves", "it is a common name"],
  ["commonNames", "it is a common name"],
])
const commonWarning = "it is a common password or made of common words"
const ownWarning =
  "it consists mainly of your name, your e-mail address, or the name of Laurel or the program"

/**
 * Why a password is refused, as a sentence for its field; undefined when it may be used. The names of the owner, the
 * product and the program count for nothing: an attacker tries them first.
 */
export async function weakPassword(password: string, owner: PasswordOwner = {}): Promise<string | undefined> {
  checker ??= loadChecker().catch((error: unknown) => {
    // The next password tries again.
    checker = undefined
    throw error
  })
  const names = [...wordsOf(owner), ...productWords].toSorted((one, other) => other.length - one.length)
  const lower = password.normalize("NFKC").toLowerCase()
  const rest = names.reduce((left, name) => left.replaceAll(name, ""), lower)
  const { guesses, feedback } = (await checker).check(rest, names)
  if (guesses >= fewestGuesses) return undefined
  const cause = rest === lower ? (warnings.get(feedback.warning ?? "") ?? commonWarning) : ownWarning
  return `This password is easy to guess: ${cause}. Choose several words that do not usually go together.`
}

function wordsOf({ email = "", name = "", program = "" }: PasswordOwner): string[] {
  const text = [email.split("@", 1)[0], name, program].join(" ").normalize("NFKC").toLowerCase()
  return (text.match(/[\p{L}\d]+/gu) ?? []).filter((word) => word.length >= shortestWord)
}
