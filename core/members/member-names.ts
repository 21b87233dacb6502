import type { MemberNames } from "../../contract/member-names.ts"
import { sees } from "../../contract/redaction.ts"
import type { Role } from "../../contract/roles.ts"
import { encodeId } from "../match.ts"
import type { NameBook } from "./name-book.ts"
import type { NameFinder } from "./name-finder.ts"

/** Names of members, without a request for each. */
export interface Names {
  /** What is known now; the rest is looked for. A member without a name goes by their e-mail, where the role sees it. */
  find(ids: readonly string[], role: Role): MemberNames
  /** A member changed: what was known is old. */
  changed(id: string): void
  stop(): void
}

/** Puts book and finder together. */
export function createNames(book: NameBook, finder: NameFinder): Names {
  return {
    find(ids, role) {
      const names: MemberNames = { names: [], missing: [], coming: [] }
      for (const id of new Set(ids)) {
        const known = encodeId(id) === undefined ? null : book.of(id)
        if (known === undefined) names.coming.push(id)
        else if (known === null) names.missing.push(id)
        else {
          const email = sees("member", role, "email") ? known.email : null
          names.names.push({ id, name: known.name || (email ?? id) })
        }
      }
      if (names.coming.length > 0) finder.want(names.coming)
      return names
    },
    changed: (id) => book.forget(id),
    stop: () => finder.stop(),
  }
}
