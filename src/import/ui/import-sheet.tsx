import { Button } from "@mantine/core"
import { IconListCheck } from "@tabler/icons-react"
import { useState } from "react"
import { EmptyState } from "../../ui/query-state.tsx"
import type { ImportSession } from "../session/import-session.ts"
import { ConstantFields } from "./constant-fields.tsx"
import { DraftNotice } from "./draft-notice.tsx"
import { FilterTabs } from "./filter-tabs.tsx"
import { ImportGrid } from "./import-grid.tsx"
import classes from "./import-sheet.module.css"
import { MissingNotice } from "./missing-notice.tsx"
import { RefusalNotice } from "./refusal-notice.tsx"
import { shownColumns } from "./shown-columns.ts"

interface ImportSheetProps {
  session: ImportSession
  /** What the rows are: "Rows to award". Read aloud. */
  label: string
}

/** An open import: what stands in the way, which rows are shown, and the rows. Fills the column it is in. */
export function ImportSheet({ session, label }: ImportSheetProps) {
  const { state } = session
  const [allColumns, setAllColumns] = useState(false)
  const hidden = state.columns.length - shownColumns(state, false).length
  return (
    <div className={classes.sheet}>
      <div className={classes.notices}>
        <DraftNotice session={session} />
        <RefusalNotice session={session} />
        <MissingNotice session={session} />
        {state.notes.map((note) => (
          <p key={note} className={classes.note}>
            {note}
          </p>
        ))}
        {hidden > 0 && (
          <p className={classes.note}>
            {allColumns ? "All columns are shown." : `${hidden} columns that are not used are hidden.`}{" "}
            <Button size="xs" variant="subtle" onClick={() => setAllColumns(!allColumns)}>
              {allColumns ? "Hide those not used" : "Show all"}
            </Button>
          </p>
        )}
      </div>
      <ConstantFields session={session} />
      <FilterTabs session={session} />
      {state.shown === 0 ? (
        <EmptyState
          icon={IconListCheck}
          title={state.filter === "all" ? "No rows are left" : "No rows here"}
          help={state.filter === "problems" ? "Every row is fine." : undefined}
          actions={
            state.filter !== "all" && <Button onClick={() => void session.show("all")}>Show all rows</Button>
          }
        />
      ) : (
        // Another view starts at its top.
        <ImportGrid key={state.filter} session={session} label={label} allColumns={allColumns} />
      )}
    </div>
  )
}
