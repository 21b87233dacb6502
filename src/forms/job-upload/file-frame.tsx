import { lazy, Suspense, type ReactNode } from "react"
import type { ImportSession } from "../../import/session/import-session.ts"
import { DropAnywhere } from "../../import/ui/drop-anywhere.tsx"
import { FileLine } from "../../import/ui/file-line.tsx"
import { ImportIntake } from "../../import/ui/import-intake.tsx"
import { ReplaceFile } from "../../import/ui/replace-file.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import classes from "./file-frame.module.css"

const loadSheet = () => import("../../import/ui/import-sheet.tsx")
const ImportSheet = lazy(async () => ({ default: (await loadSheet()).ImportSheet }))

const members = [{ label: "Members", to: "/members" }]

interface FileFrameProps {
  session: ImportSession
  title: string
  /** Pages above this one; the members without it. */
  path?: readonly { label: string; to: string }[]
  /** What to drop: "Drop a CSV file, or paste rows from a spreadsheet". */
  intake: string
  /** Which columns it needs. */
  help: string
  /** What the rows are: "Rows to award". */
  rows: string
  /** Above everything. */
  note?: ReactNode
  /** Above the rows. */
  above?: ReactNode
  /** In the place of the rows. */
  instead?: ReactNode
  /** The side panel: what will happen, how, and the button at its end. */
  children: ReactNode
}

/** A page that makes a job of a file: the rows on the left, what they come to on the right. */
export function FileFrame(props: FileFrameProps) {
  const { session, title, path = members, intake, help, rows, note, above, instead, children } = props
  const ready = session.state.phase === "ready"
  // Fetched while the file is read, so that its rows need not wait for the table.
  if (session.state.phase === "reading") void loadSheet()
  return (
    <div className={classes.page}>
      <PageHeader
        title={title}
        path={path}
        pill={ready && <FileLine session={session} />}
        {...(ready ? { actions: <ReplaceFile session={session} /> } : {})}
      />
      {note !== undefined && <div className={classes.note}>{note}</div>}
      <DropAnywhere session={session} />
      {ready ? (
        <div className={classes.frame}>
          <div className={classes.sheet}>
            {above}
            <Suspense fallback={<SkeletonRows rows={12} columns={[64, 200, 120, 200]} />}>
              {instead || <ImportSheet session={session} label={rows} />}
            </Suspense>
          </div>
          <aside className={classes.side} aria-label="What will happen">
            {children}
          </aside>
        </div>
      ) : (
        <div className={classes.intake}>
          <ImportIntake session={session} title={intake} help={help} />
        </div>
      )}
    </div>
  )
}
