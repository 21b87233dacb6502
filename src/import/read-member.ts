import { comparedEmail, isSameEmail } from "../../contract/email-address.ts"
import { comparedText } from "../../contract/typed-text.ts"
import { readEmail, readExact } from "./read-cell.ts"
import type { Field, Finding, KnownMember, Reading, RowValues, Rule, SheetFacts } from "./recipe.ts"

/** One word with a digit that does not end like a host name: never a mistyped address. */
const idShape = /^(?=\S*\d)(?!.*\.[a-z]{2,}$)\S+$/i
const readId = readExact("a member id")

/**
 * Reads the member of a row: files mix ids and addresses. Ids have no documented format, so any word without @ may be
 * one where ids are expected. An inactive member, one that none of all members is, and an id unlike all known ones have
 * to be confirmed.
 */
export function readMember(column: "member_id" | "email"): Field["read"] {
  return (text, context) => {
    const known = knownMembers(context.members ?? noMembers)
    if (text.includes("@")) {
      const reading = readEmail(text, "member")
      if ("problem" in reading) return reading
      const member = known.byEmail.get(comparedEmail(String(reading.value)))
      const check = member === undefined ? missingCheck("e-mail", context) : statusCheck(member)
      return { ...reading, ...(column === "member_id" && { as: "email" }), ...check }
    }
    const member = known.byId.get(text)
    if (member === undefined && /\s/.test(text)) return noMemberId(text, column, known)
    const reading = readId(text, context)
    if ("problem" in reading) return reading
    if (member === undefined && column === "email" && !idShape.test(text)) {
      return { problem: "Not an e-mail address or a member id" }
    }
    const check =
      member === undefined
        ? { ...missingCheck("id", context), ...unlikeCheck(text, known) }
        : statusCheck(member)
    return { ...reading, ...check, ...(column === "email" && { as: "member_id" }) }
  }
}

const noMembers: readonly KnownMember[] = []
const indexed = new WeakMap<readonly KnownMember[], ReturnType<typeof indexMembers>>()

/** The same array is passed for every cell. */
function knownMembers(members: readonly KnownMember[]) {
  const index = indexed.get(members) ?? indexMembers(members)
  indexed.set(members, index)
  return index
}

function indexMembers(members: readonly KnownMember[]) {
  const byId = new Map(members.map((member) => [member.id, member]))
  const all = [...byId.values()]
  return {
    byId,
    byEmail: new Map(all.flatMap((member) => (member.email ? [[comparedEmail(member.email), member]] : []))),
    byName: Map.groupBy(all, ({ name }) => comparedText(name)),
    shapes: new Set(all.map(({ id }) => idShapeOf(id))),
    sample: all[0]?.id,
  }
}

function statusCheck(member: KnownMember | undefined): { check?: string } {
  const status = member?.status?.toLowerCase()
  return status === "inactive" || status === "pending" ? { check: `This member is ${status}` } : {}
}

/** Where all members are known. A check only: the sync of a new member can be later, and the service decides. */
function missingCheck(named: "e-mail" | "id", { allMembers }: Pick<SheetFacts, "allMembers">) {
  return allMembers === true ? { check: `No member has this ${named}` } : {}
}

/** Fewer known members are no evidence of the id format. */
const fewestKnown = 5

function unlikeCheck(
  id: string,
  { byId, shapes, sample }: ReturnType<typeof indexMembers>,
): { check?: string } {
  if (byId.size < fewestKnown || shapes.has(idShapeOf(id))) return {}
  return { check: `Unlike other member ids, such as ${sample}` }
}

/** The common format of ids: the text before the first punctuation, and the type and number of characters after it. */
function idShapeOf(id: string): string {
  const [, prefix = "", rest = ""] = /^(\p{L}+[^\p{L}\p{N}])?(.*)$/u.exec(id) ?? []
  // Sequential numbers grow longer.
  return `${prefix} ${/^\d+$/.test(rest) ? "digits" : rest.replaceAll(/[\p{L}\p{N}]/gu, "x")}`
}

/** A name, or an id with spaces, in an id column; suggests the member if they are known. */
function noMemberId(
  text: string,
  column: "member_id" | "email",
  known: ReturnType<typeof indexMembers>,
): Reading {
  const closed = known.byId.get(text.replaceAll(/\s/g, ""))
  const named = closed === undefined ? (known.byName.get(comparedText(text)) ?? []) : [closed]
  const [member] = named
  if (named.length > 1)
    return { problem: `${named.length} members are called ${text}: enter the id or e-mail` }
  const problem = closed === undefined ? "A name, not a member id or e-mail" : "A member id has no spaces"
  if (member === undefined) return { problem: "Has spaces: not a member id or e-mail" }
  const right = column === "email" ? (member.email ?? member.id) : member.id
  return { problem, fix: { text: right, label: `Use ${member.name}: ${member.email ?? member.id}` } }
}

/**
 * Rows with an id and an e-mail, of which the id is sent: a sorted column may have moved one person's e-mail next to
 * another's id. A row whose member is not known has to be confirmed: it is not compared later.
 */
export const namesOneMember: Rule = (rows, { members = noMembers }) =>
  rows.flatMap(({ values }, at): Finding[] => {
    const { member_id: id, email } = values
    if (id === undefined || email === undefined) return []
    const { byId, byEmail } = knownMembers(members)
    const member = byId.get(String(id))
    const owner = byEmail.get(comparedEmail(String(email)))
    const found = { at, field: "email", code: "check" } as const
    if (member?.email !== undefined) {
      if (isSameEmail(String(email), member.email)) return []
      return [{ ...found, severity: "problem", text: otherMemberText(member.name, String(email)) }]
    }
    if (owner !== undefined && owner.id !== id) {
      return [{ ...found, severity: "problem", text: otherMemberText(String(id), String(email)) }]
    }
    return [{ ...found, severity: "check", text: "Not compared with the id: if kept, the id counts" }]
  })

/** The member of a row: the id, also of a known member whom the row names by e-mail, else the e-mail in lower case. */
export function memberOf(
  { member_id: id, email }: RowValues,
  { members = noMembers }: SheetFacts = {},
): string {
  const address = comparedEmail(String(email ?? ""))
  const found = id ?? knownMembers(members).byEmail.get(address)?.id
  return found === undefined ? `email:${address}` : `id:${found}`
}

/** The problem of a row whose id is one member and whose e-mail is not theirs. */
export function otherMemberText(name: string, email: string): string {
  return `The id is ${name}, the e-mail is ${email}: remove the wrong one`
}
