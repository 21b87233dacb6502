import { memberReader, type Member } from "../../contract/program/member.ts"
import type { Reads } from "../gateway/reads.ts"
import type { Clock } from "../ports.ts"
import { memberPlan } from "./member-write.ts"

/** What is known of a member's name; `null`: there is no such member. */
type KnownName = { readonly name: string; readonly email: string | null } | null

/** Names of members as they were read lately. */
export interface NameBook {
  /** undefined: not known. */
  of(id: string): KnownName | undefined
  enter(member: Member): void
  /** There is no such member. */
  strike(id: string): void
  forget(id: string): void
}

/** A name holds so long, ms; that a member is not there only as long as a new one might be looked for. */
const heldMs = { known: 3_600_000, missing: 60_000 }
const mostHeld = 20_000

/** Makes an empty book; copies of members that the desk holds anyway are looked at first. */
export function createNameBook(reads: Pick<Reads, "cached">, clock: Clock): NameBook {
  const held = new Map<string, { readonly known: KnownName; readonly until: number }>()

  function put(id: string, known: KnownName): void {
    held.delete(id)
    held.set(id, { known, until: clock.monotonic() + heldMs[known === null ? "missing" : "known"] })
    const oldest = held.keys().next().value
    if (held.size > mostHeld && oldest !== undefined) held.delete(oldest)
  }

  return {
    of(id) {
      const response = reads.cached(memberPlan(id))
      const member = response === undefined ? undefined : memberReader.tolerant.safeParse(response.data).data
      if (member !== undefined) return nameOf(member)
      const found = held.get(id)
      return found === undefined || found.until <= clock.monotonic() ? undefined : found.known
    },
    enter: (member) => put(member.id, nameOf(member)),
    strike: (id) => put(id, null),
    forget: (id) => void held.delete(id),
  }
}

function nameOf({ first_name, last_name, email }: Member): KnownName {
  return { name: [first_name, last_name].filter(Boolean).join(" "), email: email ?? null }
}
