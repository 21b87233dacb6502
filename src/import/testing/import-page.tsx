import { MantineProvider } from "@mantine/core"
import type { DraftStore } from "../draft/draft-store.ts"
import { inlinePort } from "../port/inline-port.ts"
import type { SheetPort } from "../port/sheet-port.ts"
import { useImport } from "../session/use-import.ts"
import { DropAnywhere } from "../ui/drop-anywhere.tsx"
import { FileLine } from "../ui/file-line.tsx"
import { ImportIntake } from "../ui/import-intake.tsx"
import { ImportSheet } from "../ui/import-sheet.tsx"
import { LeftOutDownload } from "../ui/left-out-download.tsx"
import { ReplaceFile } from "../ui/replace-file.tsx"

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
