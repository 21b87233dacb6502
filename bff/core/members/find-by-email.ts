import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import { memberReader, type Member } from "../../../contract/program/member.ts"
import type { DeskContext } from "../context.ts"
import { unreadable } from "../gateway/service-refusal.ts"
import { planById } from "../gateway/read-plan.ts"
import type { Person } from "../gateway/service-call.ts"

/** A search for one whole e-mail that yields more pages than this does not search. */
const mostPages = 20

const memberRows = z.array(memberReader.tolerant)

/**
 * Every member with exactly this e-mail, upper and lower case alike: the search of the service matches parts of names
 * and e-mails (docs/api/program.md, Members), so all its pages are read.
 * @throws DeskFailure; the signal's reason
 */
export async function findByEmail(
  { reads }: Pick<DeskContext, "reads">,
  person: Person,
  email: string,
  signal?: AbortSignal,
): Promise<Member[]> {
  const wanted = email.trim().toLowerCase()
  const found = new Map<string, Member>()
  let seen = 0
  for (let page = 1; page <= mostPages; page += 1) {
    const plan = planById("GET /members", {}, { search: email.trim(), page, per_page: limits.perPage.max })
    const { copy } = await reads.read(plan, { person, fresh: true, signal })
    const rows = memberRows.parse(copy.data)
    for (const row of rows) if (row.email?.trim().toLowerCase() === wanted) found.set(row.id, row)
    seen += rows.length
    const total = copy.meta?.total
    const last = total === undefined ? rows.length < limits.perPage.max : seen >= total
    if (last || rows.length === 0) return [...found.values()]
  }
  throw unreadable("program", 200, "its search for an e-mail has no end")
}
