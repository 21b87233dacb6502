import type { RankingRoles } from "../../../../contract/settings.ts"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import { sentRows } from "../../../lib/ranking/sent-rows.ts"
import type { ColumnChoice } from "../../../lists/list-columns.ts"
import { SentJson } from "../sent-json.tsx"
import classes from "./board-side.module.css"
import { FurtherFields } from "./further-fields.tsx"
import { MappingPanel } from "./mapping-panel.tsx"
import { SpreadFacts } from "./spread-facts.tsx"

interface BoardSideProps {
  boardId: string
  reading: RankingReading
  saved: RankingRoles | undefined
  draft: RankingRoles | null
  onDraft: (draft: RankingRoles | null) => void
  further: ColumnChoice
  onFurther: (choice: ColumnChoice) => void
}

/** How the rankings are read, a row as it was sent, and how the places lie apart. */
export function BoardSide({ boardId, reading, saved, draft, onDraft, further, onFurther }: BoardSideProps) {
  const isRanking = reading.view === "standings"
  return (
    <aside className={classes.side} aria-label="Field mapping">
      {reading.fields.length > 0 && (
        <MappingPanel boardId={boardId} reading={reading} saved={saved} draft={draft} onDraft={onDraft} />
      )}
      {isRanking && <FurtherFields reading={reading} choice={further} onChoose={onFurther} />}
      <section className={classes.part}>
        <h3>Sample row</h3>
        <SentJson label="Sample row" sent={sentRows(reading.sent)?.[0]} inset />
      </section>
      {isRanking && <SpreadFacts rows={reading.standings.rows} />}
    </aside>
  )
}
