import { SegmentedControl } from "@mantine/core"
import { useState } from "react"
import {
  type BookDifference,
  type BookStatement,
  differenceClasses,
  monthName,
} from "../../../contract/books.ts"
import { limits } from "../../../contract/limits.ts"
import { differencesRead } from "../../api/books.ts"
import { useCan } from "../../api/session.ts"
import { DownloadDialog, type DownloadTask, exportTask } from "../../forms/download.tsx"
import { type CsvColumns, csvRows } from "../../lib/csv.ts"
import { counted } from "../../lib/format.ts"
import { changeOf, classTexts, classTotals, coverageText, statementLines } from "./book-words.ts"

const [theStatement, theDifferences] = ["statement", "differences"] as const

/** Downloads the statement of a month, or its differences, which need `exports.people`. */
export function ExportBooks({ statement, onClose }: { statement: BookStatement; onClose: () => void }) {
  const mayExport = useCan("exports.people")
  const [what, setWhat] = useState<string>(theStatement)
  const totals = classTotals(statement)
  const total = differenceClasses.reduce((sum, each) => sum + totals[each].entries, 0)
  const isStatement = what === theStatement
  return (
    <DownloadDialog
      title={`Download ${monthName(statement.month)}`}
      action={isStatement ? "Download statement" : `Download ${counted(total, "difference")}`}
      ready={isStatement || total > 0}
      task={() => (isStatement ? statementTask(statement) : differencesTask(statement.month, total))}
      onClose={onClose}
    >
      {mayExport && (
        <SegmentedControl
          aria-label="What is downloaded"
          value={what}
          data={[
            { value: theStatement, label: "Statement" },
            { value: theDifferences, label: "Differences" },
          ]}
          onChange={setWhat}
        />
      )}
      <p>
        {isStatement
          ? "A file with the lines of the statement, the members read and the number of differences."
          : "A file with every difference and its member. Who exported it, and when, is in the audit log."}
      </p>
    </DownloadDialog>
  )
}

const statementColumns = ["Line", "With Laurel", "Elsewhere", "Points", "Number"] as const

/** The statement with its coverage below; the figures are numbers. */
function statementTask(statement: BookStatement): DownloadTask {
  const totals = classTotals(statement)
  return {
    name: `Books ${statement.month}`,
    columns: statementColumns,
    large: false,
    run: async (file) => {
      const rows = [
        ...statementLines(statement).map(({ label, ours, foreign, points, count }) => [
          label,
          ours,
          foreign,
          points,
          count,
        ]),
        ...differenceClasses.map((each) => [
          `Differences: ${classTexts[each].label}`,
          null,
          null,
          totals[each].points,
          totals[each].entries,
        ]),
        [`As of ${statement.as_of}`],
        [coverageText(statement)],
      ].map((row) => statementColumns.map((_, at) => row[at]))
      await file.begin()
      await file.add(rows)
      return rows.length
    },
  }
}

function differencesTask(month: string, total: number): DownloadTask {
  return exportTask({
    name: `Differences ${month}`,
    body: { kind: "books", filter: { month } },
    ...differencesRead(month),
    query: {},
    idOf: ({ id }) => id,
    columns: Object.keys(differenceColumns),
    cellsOf: (differences) => csvRows(differenceColumns, differences),
    total,
    perPage: limits.perPage.max,
  })
}

const differenceColumns: CsvColumns<BookDifference> = {
  Class: ({ class: of }) => classTexts[of].label,
  "Member id": ({ member }) => member?.id,
  Member: ({ member }) => member?.name,
  Points: changeOf,
  Type: ({ type }) => type,
  Reason: ({ reason }) => reason,
  Reference: ({ reference }) => reference,
  Entry: ({ transaction_id: id }) => id,
  When: ({ at }) => at,
  Job: ({ row }) => row?.job,
  Row: ({ row }) => row?.row,
}
