import { limits } from "../../../contract/limits.ts"
import { memberListReader, type Member } from "../../../contract/program/member.ts"
import { unreadable } from "../../gateway/outcome.ts"
import { planById } from "../../gateway/upstream-read.ts"
import type { JobContext } from "../job-context.ts"
import { readNow, readWhole, type JobRequester } from "../job-reads.ts"

/** So few e-mails are searched one by one without asking first how many members there are. */
const fewEmails = 3
/** Searches under way at once. */
const searchesAtOnce = 6

/** Members by e-mail in lower case: those who have exactly it. */
export type MembersByEmail = ReadonlyMap<string, readonly Member[]>

/**
 * Finds the members with exactly these e-mails, upper and lower case alike: by one search each, or by reading every
 * member, whichever costs fewer requests.
 * @param emails in lower case, each once
 * @param found told after each search; after reading every member it is told once for all
 * @throws DeskFailure; the signal's reason
 */
export async function findMembers(
  context: JobContext,
  asker: JobRequester,
  emails: readonly string[],
  found: (some: MembersByEmail) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (emails.length > fewEmails) {
    const plan = planById("GET /members", {}, { page: 1, per_page: limits.perPage.max })
    const { meta } = await readNow(context, asker, plan, signal)
    const pages = Math.ceil((meta?.total ?? Number.POSITIVE_INFINITY) / limits.perPage.max)
    if (pages < emails.length && (await everyMember(context, asker, emails, found, signal))) return
  }
  const left = [...emails]
  const search = async () => {
    for (let email = left.shift(); email !== undefined; email = left.shift()) {
      signal.throwIfAborted()
      const { rows, moved } = await readMembers(context, asker, { search: email }, signal)
      // Who was not seen may be there all the same.
      if (moved) throw unreadable("program", 200, "its search for an e-mail has no end")
      await found(byEmail(rows, [email]))
    }
  }
  await Promise.all(Array.from({ length: Math.min(searchesAtOnce, emails.length) }, search))
}

/** Reads all members; false when the list never stood still long enough to be read whole. */
async function everyMember(
  context: JobContext,
  asker: JobRequester,
  emails: readonly string[],
  found: (some: MembersByEmail) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const { rows, complete } = await readMembers(context, asker, {}, signal)
  if (!complete) return false
  await found(byEmail(rows, emails))
  return true
}

/** Reads the member list to its end. */
export function readMembers(
  context: JobContext,
  asker: JobRequester,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
) {
  return readWhole<Member>(
    context,
    asker,
    {
      operation: "GET /members",
      params: {},
      query,
      perPage: limits.perPage.max,
      rowsOf: (data) => memberListReader.tolerant.parse(data),
      idOf: (row) => row.id,
    },
    signal,
  )
}

function byEmail(members: readonly Member[], emails: readonly string[]): MembersByEmail {
  const found = new Map<string, Member[]>(emails.map((email) => [email, []]))
  for (const member of members) found.get(member.email?.trim().toLowerCase() ?? "")?.push(member)
  return found
}

/** A member as people call them. */
export function memberLabel(member: Member): string | null {
  const name = [member.first_name, member.last_name].filter(Boolean).join(" ")
  return name || (member.email ?? null)
}
