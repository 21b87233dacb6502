import { IconTrophy } from "@tabler/icons-react"
import type { RankingReading } from "../../lib/ranking/read-ranking.ts"
import { EmptyState } from "../../ui/query-state.tsx"
import { FieldsTable } from "./fields-table.tsx"
import { SentJson } from "./sent-json.tsx"
import { StandingsTable } from "./standings-table.tsx"

interface RankingBodyProps {
  reading: RankingReading
  /** The board's. */
  name: string
  /** Further fields somebody wants to see beside the places. */
  further: readonly string[]
}

/** A ranking in the best form its answer allows. There always is one. */
export function RankingBody({ reading, name, further }: RankingBodyProps) {
  switch (reading.view) {
    case "standings":
      return <StandingsTable reading={reading} label={name} further={further} />
    case "table":
      return <FieldsTable reading={reading} label={name} />
    case "json":
      return <SentJson label={`${name} as sent`} sent={reading.sent} />
    default:
      return (
        <EmptyState
          icon={IconTrophy}
          title="No rankings yet"
          help="The service sent an empty list. Rankings appear here when there are some."
        />
      )
  }
}
