import { emailText } from "../../../contract/program/common.ts"
import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import { type JobContext, plannedRows, requesterOf, yieldToEventLoop } from "../job-context.ts"
import type { JobRecord, RowChange, RowRecord } from "../job-store.ts"
import { findMembers, memberLabel, type MembersByEmail } from "./find-members.ts"

/** Whom a row names: by id or by e-mail. */
interface RowMember {
  readonly member_id?: string | undefined
  readonly email?: string | undefined
}

/**
 * The member of a row as what the text is: an e-mail address in the place of an id is looked up as one. Ids have no
 * documented shape, so nothing else is judged.
 */
export function memberOf({ member_id, email }: RowMember): RowMember {
  const given = member_id ?? email
  // A failed check takes many times a passed one: most ids have no @, so most files of them need none.
  const address = given?.includes("@") === true ? emailText.safeParse(given).data : undefined
  return address === undefined ? { member_id } : { email: address }
}

/** Rows changed in one step. */
const atOnce = 500

/**
 * Finds the member of each planned row that names one by e-mail. Missing and ambiguous ones fail without being sent.
 * @throws DeskFailure; the signal's reason
 */
export async function prepareMembers(
  context: JobContext,
  job: JobRecord,
  signal: AbortSignal,
): Promise<void> {
  const waiting = new Map<string, Pick<RowRecord, "row" | "edits">[]>()
  for await (const rows of plannedRows(context.store.jobs, job.id)) {
    for (const { row, edits, email, memberId } of rows) {
      if (memberId === null && email !== null)
        waiting.set(email, [...(waiting.get(email) ?? []), { row, edits }])
    }
  }
  if (waiting.size === 0) return
  const found = async (some: MembersByEmail) => {
    const changes = [...some].flatMap(([email, members]) =>
      (waiting.get(email) ?? []).map(({ row, edits }): RowChange => ({
        row,
        from: ["planned"],
        edits,
        set: membership(members),
      })),
    )
    for (let at = 0; at < changes.length; at += atOnce) {
      await context.store.jobs.changeRows(job.id, changes.slice(at, at + atOnce))
      if (changes.length > atOnce) await yieldToEventLoop()
    }
    context.jobChanged(job.id)
  }
  await findMembers(context, requesterOf(job), [...waiting.keys()], found, signal)
}

function membership(
  members: MembersByEmail extends ReadonlyMap<string, infer Some> ? Some : never,
): RowChange["set"] {
  const [member] = members
  if (member !== undefined && members.length === 1) return { memberId: member.id, label: memberLabel(member) }
  const code = member === undefined ? "member_not_found" : "member_ambiguous"
  return { state: "failed", outcome: { code, message: rowOutcomeWords[code] } } satisfies Partial<RowRecord>
}
