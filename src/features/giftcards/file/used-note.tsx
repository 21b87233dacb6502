import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import type { ReferenceCheck } from "../../../../contract/cards.ts"
import { giftcardRow, type TakenBy } from "../../../../contract/job-rows.ts"
import { limits } from "../../../../contract/limits.ts"
import { checkReferences } from "../../../api/gift-cards.ts"
import { TakenByLink } from "../../../forms/outcome/taken-by-link.tsx"
import type { ImportSession } from "../../../import/session/import-session.ts"
import type { UsedReference } from "../../../import/recipes/recipe.ts"
import { formatCount } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"

/** A reference of the file that something at the desk has already. */
export interface FoundReference extends UsedReference {
  readonly taken: TakenBy
}

const shown = 5
const none: readonly FoundReference[] = []

/**
 * Holds the file's references against the register and the rows that have claimed one, in parts and each once, and
 * leads to what has them. Their rows are problems of the sheet then.
 */
export function UsedNote({
  session,
  usual,
  used,
  onUsed,
}: {
  session: ImportSession
  /** Template of the rows that name none. */
  usual: string | undefined
  used: readonly FoundReference[]
  onUsed: (used: readonly FoundReference[]) => void
}) {
  const { state } = session
  // A row with a problem is not among those that are read, so what was found once is kept.
  const known = useRef(new Map<string, ReferenceCheck>())
  const { data = none } = useQuery({
    queryKey: ["card-file-references", state.key, state.revision, usual],
    queryFn: ({ signal }) => check(session, usual, known.current, signal),
    enabled: !state.busy && state.included > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  useEffect(() => {
    if (JSON.stringify(data) !== JSON.stringify(used)) onUsed(data)
  }, [data, used, onUsed])
  if (used.length === 0) return null
  return (
    <Notice
      tone="warning"
      title={`${formatCount(used.length)} ${used.length === 1 ? "reference is" : "references are"} already used`}
    >
      A reference makes one card of a template, so these rows are excluded. For a second card, enter another
      reference.
      {used.slice(0, shown).map(({ template, reference, taken }) => (
        <span key={`${template} ${reference}`}>
          <br />
          <span className="l-mono">{reference}</span>: <TakenByLink by={taken} />
        </span>
      ))}
    </Notice>
  )
}

async function check(
  { state, accepted }: ImportSession,
  usual: string | undefined,
  known: Map<string, ReferenceCheck>,
  signal: AbortSignal,
): Promise<readonly FoundReference[]> {
  const asked = new Map<string, { readonly template: string; readonly reference: string }>()
  for (let at = 0; at < state.included; at += limits.jobRowsAdded) {
    const { rows } = await accepted(at, limits.jobRowsAdded)
    for (const row of rows) {
      const { externalRef: reference, cardId: template = usual } = giftcardRow.safeParse(row).data ?? {}
      if (!reference || template === undefined) continue
      const key = JSON.stringify([template, reference])
      if (!known.has(key)) asked.set(key, { template, reference })
    }
    if (rows.length === 0) break
  }
  const fresh = [...asked]
  for (let at = 0; at < fresh.length; at += limits.referencesAtOnce) {
    const part = fresh.slice(at, at + limits.referencesAtOnce)
    const checks = await checkReferences(
      part.map(([, reference]) => reference),
      false,
      signal,
    )
    for (const [index, [key]] of part.entries()) {
      const found = checks[index]
      if (found !== undefined) known.set(key, found)
    }
  }
  return [...known].flatMap(([key, { by }]): FoundReference[] => {
    const [template, reference] = pairOf(key)
    return by === null ? [] : [{ template, reference, by: whatHas(by), taken: by }]
  })
}

function pairOf(key: string): [string, string] {
  const parsed: unknown = JSON.parse(key)
  const [template, reference]: unknown[] = Array.isArray(parsed) ? parsed : []
  return [String(template), String(reference)]
}

function whatHas({ card_id, job }: TakenBy): string {
  if (card_id !== null) return `card ${card_id}`
  return job === null ? "another card" : `row ${job.row} of job ${job.id}`
}
