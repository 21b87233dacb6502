import type { Api } from "../desk/status.ts"
import type { AtlasEntry } from "./entry.ts"
import { giftcardAtlas } from "./giftcard-atlas.ts"
import { programAtlas } from "./program-atlas.ts"

/** Every error both documents name, and what each means for the person who meets it. */
export const atlas: readonly AtlasEntry[] = [...programAtlas, ...giftcardAtlas]

/**
 * The entry for an error: by code first, whatever its status; then by status; then by the status's class.
 * Undefined only for a status that is no error.
 */
export function explainUpstream(
  api: Api,
  status: number,
  code: string | null | undefined,
): AtlasEntry | undefined {
  const own = atlas.filter((entry) => entry.api === api)
  const byCode = code ? own.find((entry) => entry.code === code) : undefined
  if (byCode !== undefined) return byCode
  const byStatus = own.filter((entry) => entry.status === status)
  const plain = byStatus.find((entry) => entry.code === null) ?? byStatus[0]
  if (plain !== undefined) return plain
  if (status >= 500) return own.find((entry) => entry.status === 500)
  if (status >= 400) return own.find((entry) => entry.status === 400)
  return undefined
}
