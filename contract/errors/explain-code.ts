import { pauseCodes, type JobKind } from "../desk/job.ts"
import type { RowOutcomeCode } from "../desk/job-rows.ts"
import type { Api } from "../desk/status.ts"
import { atlas } from "./atlas.ts"
import type { AtlasEntry } from "./entry.ts"
import { templateNotFound } from "./giftcard-atlas.ts"

/** The service a kind of job asks for its effects. */
export function apiOf(kind: JobKind): Api {
  return kind === "giftcard" ? "giftcard" : "program"
}

/** Of a row: the service said that the reference is taken, and the card that has it was looked up. */
const earlierCard: RowOutcomeCode = "earlier_card"

/** The entry of the atlas for what stands at a row or at a paused job of a kind. */
export function explainCode(kind: JobKind, code: string): AtlasEntry | undefined {
  return explainApiCode(apiOf(kind), code)
}

/**
 * The entry of the atlas for a service's code, or for its status where it gave none. Undefined for the desk's own
 * reasons.
 */
export function explainApiCode(api: Api, code: string): AtlasEntry | undefined {
  if (api === "giftcard" && code === pauseCodes.templateNotFound) return templateNotFound
  const wanted = api === "giftcard" && code === earlierCard ? "DUPLICATE_EXTERNAL_REF" : code
  const own = atlas.filter((entry) => entry.api === api)
  return (
    own.find((entry) => entry.code === wanted) ??
    own.find((entry) => entry.code === null && wanted === String(entry.status))
  )
}
