import { Button, Progress } from "@mantine/core"
import { IconFileSpreadsheet } from "@tabler/icons-react"
import { EmptyState } from "../../ui/query-state.tsx"
import type { ImportSession } from "../session/import-session.ts"
import { ChooseFile } from "./choose-file.tsx"
import classes from "./import-intake.module.css"
import { RefusalNotice } from "./refusal-notice.tsx"

interface ImportIntakeProps {
  session: ImportSession
  /** What is wanted: "Drop a CSV file, or paste rows". */
  title: string
  /** Which columns it needs. */
  help: string
}

/** Takes rows in: a file dropped or chosen, a range pasted, or typed by hand. Shows how far a file is read. */
export function ImportIntake({ session, title, help }: ImportIntakeProps) {
  const { phase, progress } = session.state
  if (phase === "starting") return null
  if (phase === "reading") {
    return (
      <div className={classes.reading}>
        <p id="import-reading">Reading and checking the rows…</p>
        <Progress.Root size={8}>
          <Progress.Section value={progress * 100} color="var(--l-accent)" aria-labelledby="import-reading" />
        </Progress.Root>
      </div>
    )
  }
  return (
    <div className={classes.intake}>
      <RefusalNotice session={session} />
      <EmptyState
        icon={IconFileSpreadsheet}
        title={title}
        help={
          <>
            {help} Copied cells can be pasted here with <kbd>Ctrl V</kbd>.
          </>
        }
        actions={
          <>
            <ChooseFile
              filled
              label="Choose a file"
              onChoose={(file) => void session.open({ kind: "file", file })}
            />
            <Button onClick={() => void session.open({ kind: "blank" })}>Enter rows manually</Button>
          </>
        }
      />
    </div>
  )
}
