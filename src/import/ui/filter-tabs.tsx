import { Button, SegmentedControl } from "@mantine/core"
import { IconAlertCircle, IconAlertTriangle, IconArrowBackUp } from "@tabler/icons-react"
import { formatCount } from "../../lib/format.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import type { ImportSession } from "../session/import-session.ts"
import { rowFilters, type RowFilter } from "../sheet/sheet-view.ts"
import classes from "./import-sheet.module.css"

const words: Readonly<Record<RowFilter, string>> = {
  all: "All",
  problems: "Problems",
  checks: "To check",
  ready: "Ready",
  out: "Excluded",
}

/** Which rows are shown, with how many there are of each, and what goes for all of them. */
export function FilterTabs({ session }: { session: ImportSession }) {
  const { filter, counts, canUndo } = session.state
  const offered = rowFilters.filter((each) => each !== "out" || counts.out > 0 || filter === "out")
  return (
    <div className={classes.tabs}>
      <SegmentedControl
        aria-label="Rows to show"
        withItemsBorders={false}
        value={filter}
        data={offered.map((each) => ({ value: each, label: tab(each, counts[each]) }))}
        onChange={(chosen) => {
          const next = rowFilters.find((each) => each === chosen)
          if (next !== undefined) void session.show(next)
        }}
      />
      <div className={classes.tools}>
        {filter === "checks" && counts.checks > 0 && <KeepAll session={session} />}
        <span className={classes.hint}>
          Edit a cell in place. <kbd>F8</kbd> next problem
        </span>
        <IconButton
          label="Undo"
          disabled={!canUndo}
          icon={<IconArrowBackUp size={16} stroke={1.75} />}
          onClick={() => void session.undo()}
        />
        <Button size="xs" onClick={() => void session.addRows(1)}>
          Add a row
        </Button>
      </div>
    </div>
  )
}

function tab(filter: RowFilter, count: number) {
  return (
    <span className={classes.tab}>
      {filter === "problems" && <IconAlertCircle size={14} stroke={2} aria-hidden data-tone="danger" />}
      {filter === "checks" && <IconAlertTriangle size={14} stroke={2} aria-hidden data-tone="warning" />}
      {words[filter]} <span className={classes.count}>{formatCount(count)}</span>
    </span>
  )
}

/** Decides every row of a kind at once: they were looked at together. */
function KeepAll({ session }: { session: ImportSession }) {
  const { kept, leftOut } = session.state
  const kinds = [
    { code: "repeat", open: leftOut.repeats, kept: kept.repeats, one: "repeated row", many: "repeated rows" },
    {
      code: "duplicate",
      open: leftOut.duplicates,
      kept: kept.duplicates,
      one: "duplicate",
      many: "duplicates",
    },
    {
      code: "outlier",
      open: leftOut.outliers,
      kept: kept.outliers,
      one: "large amount",
      many: "large amounts",
    },
    { code: "check", open: leftOut.others, kept: kept.others, one: "other", many: "others" },
  ] as const
  return kinds
    .filter((kind) => kind.open + kind.kept > 0)
    .map(({ code, open, kept: taken, one, many }) => {
      const count = open > 0 ? open : taken
      return (
        <Button
          key={code}
          size="xs"
          variant="subtle"
          onClick={() => void session.decide(code, open > 0 ? "keep" : "leave")}
        >
          {open > 0 ? "Keep" : "Exclude"} {formatCount(count)} {count === 1 ? one : many}
        </Button>
      )
    })
}
