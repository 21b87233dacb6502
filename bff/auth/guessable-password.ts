import { readFileSync } from "node:fs"

/** The owner of a password, as far as known. */
export interface PasswordOwner {
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly program?: string | undefined
}

/** Common passwords and the words they are made of, in lower case. Read when the first password is set. */
let commonWords: ReadonlySet<string> | undefined

function readCommonWords(): ReadonlySet<string> {
  const text = readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8")
  const lines = text.split("\n").filter((line) => !line.startsWith("#"))
  return new Set(lines.flatMap((line) => line.split(" ")).filter((word) => word !== ""))
}

const sentences = {
  common: "This password is easy to guess: it is a common password or made of common words. Choose another.",
  personal: "This password contains your name or e-mail address. Choose another.",
  product:
    "This password is easy to guess: it consists mainly of the name of Laurel, of the program or of yourself. Choose another.",
  pattern: "This password is easy to guess: it is a repetition or a sequence. Choose another.",
} as const

/** Fillers: they do not make a phrase of common words harder to guess. */
const fillers = new Set(["a", "i", "my", "is", "the", "our", "new", "old", "for", "and"])
/** Words that an attacker who sees the sign-in page would try. */
const productWords = ["laurel", "desk", "incentive", "program", "programme", "reward", "rewards", "points"]
const keyboardRows = [
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "qwertzuiop",
  "azertyuiop",
  "abcdefghijklmnopqrstuvwxyz",
]
/** A password of more words than this is a sentence. */
const fewWords = 2
const shortestWord = 4
const shortestName = 4
/** Below this many different characters, and digits alone below this length, a password counts as a pattern. */
const fewestCharacters = 5
const shortestNumber = 20

/**
 * Why a password is refused, as a sentence for its field; undefined when it may be used. It knows the passwords of
 * the bundled list, one or two common words with whatever digits and signs around them (also with digits for letters),
 * repetitions, sequences, the owner's own name and address, and the names of the product and the program. Longer
 * combinations it does not know.
 */
export function guessablePassword(password: string, owner: PasswordOwner = {}): string | undefined {
  const lower = password.normalize("NFKC").toLowerCase()
  if (isPattern(lower)) return sentences.pattern
  if (partsOf(owner).some((part) => lower.includes(part))) return sentences.personal
  commonWords ??= readCommonWords()
  const known = commonWords
  const spellings = [lower, lower.replace(/[^a-z]+$/, ""), lower.replaceAll(/[^\p{L}\d]/gu, "")]
  if (spellings.some((spelling) => known.has(spelling))) return sentences.common
  const readings = [lower, unleeted(lower), unleeted(lower.replace(/[^\p{L}]+$/u, ""))]
  if (readings.some((reading) => isFewWords(reading, known, fillers))) return sentences.common
  const free = new Set([...fillers, ...wordsOfNames(owner)])
  return readings.some((reading) => isFewWords(reading, known, free)) ? sentences.product : undefined
}

/** Words of the product's and the program's names, and of the local part of the address, however short. */
function wordsOfNames({ email = "", name = "", program = "" }: PasswordOwner): ReadonlySet<string> {
  const local = email.split("@", 1)[0] ?? ""
  const text = [local, name, program].join(" ").normalize("NFKC").toLowerCase()
  return new Set([...productWords, ...(text.match(/\p{L}{2,}/gu) ?? [])])
}

function partsOf({ email = "", name = "" }: PasswordOwner): string[] {
  const local = email.toLowerCase().split("@", 1)[0] ?? ""
  const pieces = [local, ...local.split(/[^a-z]+/), ...name.toLowerCase().split(/\s+/)]
  return pieces.filter((piece) => piece.length >= shortestName)
}

function isPattern(lower: string): boolean {
  const characters = Array.from(lower)
  if (new Set(characters).size < fewestCharacters) return true
  if (/^\d+$/.test(lower) && lower.length < shortestNumber) return true
  // One unit again and again, such as abcabcabcabc.
  if (/^(.{1,6})\1+.?$/u.test(lower)) return true
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).filter((code, at) => Math.abs(code - (codes[at] ?? 0)) <= 1)
  return steps.length >= (codes.length - 1) * 0.8
}

function unleeted(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => "oieastasi"["013457@$!".indexOf(sign)] ?? sign)
}

/** Whether the letters are one or two common words, or parts of a keyboard row, and nothing else of weight. */
function isFewWords(text: string, known: ReadonlySet<string>, free: ReadonlySet<string>): boolean {
  const runs = text.match(/\p{L}+/gu) ?? []
  return runs.reduce((words, run) => words + fewestWords(run, known, free), 0) <= fewWords
}

/** The fewest common words that make up the letters; more than `fewWords` when they do not. */
function fewestWords(run: string, known: ReadonlySet<string>, free: ReadonlySet<string>): number {
  const least = Array.from({ length: run.length + 1 }, (_, at) => (at === 0 ? 0 : fewWords + 1))
  for (let end = 1; end <= run.length; end += 1) {
    for (let start = 0; start < end; start += 1) {
      const before = least[start] ?? fewWords + 1
      if (before > fewWords) continue
      const piece = run.slice(start, end)
      const cost = free.has(piece) ? 0 : costOf(piece, known)
      if (cost !== undefined) least[end] = Math.min(least[end] ?? fewWords + 1, before + cost)
    }
  }
  return least[run.length] ?? fewWords + 1
}

function costOf(piece: string, known: ReadonlySet<string>): number | undefined {
  if (piece.length < shortestWord) return undefined
  if (known.has(piece)) return 1
  const reversed = Array.from(piece).toReversed().join("")
  return keyboardRows.some((row) => row.includes(piece) || row.includes(reversed)) ? 1 : undefined
}
