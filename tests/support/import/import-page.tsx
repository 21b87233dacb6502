import { MantineProvider } from "@mantine/core"
import type { DraftStore } from "../../../src/import/draft/draft-store.ts"
import { inlinePort } from "../../../src/import/port/inline-port.ts"
import type { SheetPort } from "../../../src/import/port/sheet-port.ts"
import { useImport } from "../../../src/import/session/use-import.ts"
import { DropAnywhere } from "../../../src/import/ui/drop-anywhere.tsx"
import { FileLine } from "../../../src/import/ui/file-line.tsx"
import { ImportIntake } from "../../../src/import/ui/import-intake.tsx"
import { ImportSheet } from "../../../src/import/ui/import-sheet.tsx"
import { LeftOutDownload } from "../../../src/import/ui/left-out-download.tsx"
import { ReplaceFile } from "../../../src/import/ui/replace-file.tsx"

interface ImportPageProps {
  /** Opens the sheet; the same function as long as the page stands. */
  openPort: () => Promise<SheetPort>
  userId?: string
}

function Page({ openPort, userId = "usr_1" }: ImportPageProps) {
  const session = useImport({ recipe: "award", userId, openPort })
  const { phase, included, amounts } = session.state
  return (
    <main>
      <FileLine session={session} />
      <ReplaceFile session={session} />
      <DropAnywhere session={session} />
      {phase === "ready" ? (
        <ImportSheet session={session} label="Rows to award" />
      ) : (
        <ImportIntake session={session} title="Drop a CSV file, or paste rows" help="It needs points." />
      )}
      <output aria-label="What is sent">
        {included} rows, {amounts?.sum ?? 0} points
      </output>
      <LeftOutDownload session={session} />
    </main>
  )
}

/** A page with an import and nothing else. */
export function ImportPage(props: ImportPageProps) {
  return (
    <MantineProvider env="test">
      <Page {...props} />
    </MantineProvider>
  )
}

/** A way to the sheet that keeps drafts in this store. */
export function portOver(drafts: DraftStore): () => Promise<SheetPort> {
  return async () => inlinePort(drafts)
}
