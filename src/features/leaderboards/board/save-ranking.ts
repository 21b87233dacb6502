import { csvBlob, toCsv, type CsvCell } from "../../../lib/csv.ts"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import { roleFields } from "../../../lib/ranking/role-fields.ts"
import { valueText } from "../../../lib/ranking/row-fields.ts"
import { saveFile } from "../../../lib/save-file.ts"

/** Downloads a ranking: what was recognised first, then every field as it was sent. Scores keep their digits. */
export function saveRanking(name: string, reading: RankingReading): void {
  const fileName = `${name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, " ").trim() || "Leaderboard"}.csv`
  saveFile(fileName, csvBlob(reading.view === "standings" ? standingsCsv(reading) : fieldsCsv(reading)))
}

function standingsCsv({ standings, fields, roles }: RankingReading): string {
  const taken = roleFields(roles)
  const rest = fields.filter((field) => !taken.has(field))
  return toCsv({
    columns: ["Rank", "Name", "Below the name", "Member id", "Score", "Gap to next", ...rest],
    rows: standings.rows.map((row) => [
      row.rank,
      row.name,
      row.note,
      row.memberId,
      row.score ?? row.sentScore,
      row.gap,
      ...rest.map((field) => cell(row.fields.get(field))),
    ]),
  })
}

function fieldsCsv({ rows, fields }: RankingReading): string {
  return toCsv({ columns: fields, rows: rows.map((row) => fields.map((field) => cell(row.get(field)))) })
}

function cell(value: unknown): CsvCell {
  return typeof value === "number" || typeof value === "boolean" ? value : valueText(value)
}
