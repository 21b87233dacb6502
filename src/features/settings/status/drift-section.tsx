import type { DriftRow } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"
import { shortDay } from "../../../lib/time.ts"
import { useNow } from "../../../ui/hooks.ts"
import { SectionHead } from "../section-head.tsx"
import { DriftTable } from "./drift-table.tsx"

/** What the services answered otherwise than their documents say, and what the desk makes of it. */
export function DriftSection({ rows }: { rows: readonly DriftRow[] }) {
  const now = useNow("half-minute")
  const since = rows.map(({ first_at }) => first_at).toSorted()[0]
  const kinds = `${formatCount(rows.length)} ${rows.length === 1 ? "kind" : "kinds"}`
  return (
    <section>
      <SectionHead
        title="Responses that differ from the documentation"
        end={since !== undefined && `${kinds} since ${shortDay(since, now)}`}
      />
      {rows.length === 0 ? (
        <p className="text-secondary">None so far. Every response is compared with the documentation.</p>
      ) : (
        <DriftTable rows={rows} />
      )}
    </section>
  )
}
