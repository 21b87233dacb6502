import { SegmentedControl, Group, Stack } from "@mantine/core"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { matchResults, monthName } from "../../../contract/books.ts"
import { limits } from "../../../contract/limits.ts"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { ImportPage, PanelEnd } from "../../import/import-page.tsx"
import { type ImportSession, useImport } from "../../import/import-session.ts"
import { counted, formatCount, formatSigned } from "../../lib/format.ts"
import { Button } from "../../ui/button.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { type Compared, countsOf, type MatchResult, resultTexts, useComparison } from "./match-model.ts"
import { MatchRows, saveUnmatched } from "./match-rows.tsx"

const route = getRouteApi("/_app/books_/$month_/match")

/** Compares a file of the finance system with the ledgers of a month. Nothing is written. */
export function MatchPage() {
  return (
    <RequirePagePermission permission="exports.people" title="Match a finance file" noun="finance files">
      <Match key={route.useParams().month} />
    </RequirePagePermission>
  )
}

type View = MatchResult | "file"

function Match() {
  const { month } = route.useParams()
  // No draft: the file stays where it is.
  const session = useImport("book-match", null)
  const { change, state } = session
  const comparison = useComparison(month, session)
  const { compared } = comparison
  const [view, setView] = useState<View>("file")
  useEffect(() => {
    void change((sheet) => sheet.setFacts({ month }))
  }, [change, month])
  return (
    <ImportPage
      title="Match a finance file"
      path={[
        { label: "Books", to: "/books" },
        { label: monthName(month), to: `/books/${month}` },
      ]}
      session={session}
      help="It needs a column with references or members (ids or e-mails), one with points, and one with dates. The file is only compared: nothing is changed or stored."
      rows="Rows of the file"
      above={compared !== undefined && <Views compared={compared} view={view} onChange={setView} />}
      instead={compared !== undefined && view !== "file" && <MatchRows compared={compared} result={view} />}
    >
      <MatchPanel
        month={month}
        comparison={comparison}
        state={state}
        onCompared={(result) => setView(result)}
      />
    </ImportPage>
  )
}

/** What needs a person most comes first. */
const results = matchResults.toReversed()

function Views(props: { compared: Compared; view: View; onChange: (view: View) => void }) {
  const counts = countsOf(props.compared)
  const labels = results.map((value) => ({
    value,
    label: (
      <>
        {resultTexts[value].label} <span className="l-num text-muted">{formatCount(counts[value])}</span>
      </>
    ),
  }))
  return (
    <Group px="gutter" pt={12} style={{ overflowX: "auto" }}>
      <SegmentedControl<View>
        aria-label="What is shown"
        value={props.view}
        data={[{ value: "file", label: "Rows of the file" }, ...labels]}
        onChange={props.onChange}
      />
    </Group>
  )
}

function MatchPanel(props: {
  month: string
  comparison: ReturnType<typeof useComparison>
  state: ImportSession["state"]
  onCompared: (result: MatchResult) => void
}) {
  const { month, comparison, state, onCompared } = props
  const { compared, compare, busy, error } = comparison
  const { included, missing, leftOut, amounts } = state
  const tooMany = included > limits.jobRowsAtOnce
  const run = async () => {
    const done = await compare()
    if (done !== undefined) onCompared(firstToLookAt(done))
  }
  return (
    <>
      <Stack gap={12}>
        <h2>{compared === undefined ? `Compare with ${monthName(month)}` : monthName(month)}</h2>
        <DescriptionList
          layout="inline"
          items={[
            ["Rows", formatCount(included)],
            ["Points", amounts === null ? "0" : formatSigned(amounts.sum)],
            leftOut.total > 0 && ["Left out", counted(leftOut.total, "row")],
          ]}
        />
      </Stack>
      {compared !== undefined && <Report compared={compared} month={month} />}
      <PanelEnd>
        {tooMany && (
          <Notice tone="warning" title={`Up to ${formatCount(limits.jobRowsAtOnce)} rows can be compared`}>
            Nothing was compared. Split the file, such as by week.
          </Notice>
        )}
        <ErrorNotice error={error} what="The file wasn’t compared." />
        <Button
          size="md"
          variant={compared === undefined ? "filled" : "default"}
          fullWidth
          loading={busy}
          disabled={included === 0 || missing.length > 0 || tooMany || state.busy}
          onClick={() => void run()}
        >
          {compared === undefined ? `Match ${counted(included, "row")}` : "Match again"}
        </Button>
        <p className="caption">Nothing is changed, and the file isn’t stored.</p>
      </PanelEnd>
    </>
  )
}

function firstToLookAt(compared: Compared): MatchResult {
  const counts = countsOf(compared)
  return results.find((each) => counts[each] > 0) ?? "matched"
}

function Report({ compared, month }: { compared: Compared; month: string }) {
  const counts = countsOf(compared)
  const { not_in_file: rest } = compared.report
  const unmatched = compared.rows.length - counts.matched
  return (
    <Stack component="section" gap={12} aria-label="Result">
      <DescriptionList
        layout="inline"
        items={[
          ...results
            .toReversed()
            .map((each) => [resultTexts[each].label, formatCount(counts[each])] as const),
          ["Not in the file", `${counted(rest.entries, "entry")}, ${formatSigned(rest.points)}`],
        ]}
      />
      {unmatched > 0 && (
        <Button onClick={() => void saveUnmatched(compared, month)}>
          Download {counted(unmatched, "row")} that didn’t match
        </Button>
      )}
    </Stack>
  )
}
