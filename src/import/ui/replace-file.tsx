import { Button } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import type { ImportSession } from "../session/import-session.ts"
import { ChooseFile } from "./choose-file.tsx"

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/confirm-dialog.tsx")).ConfirmDialog,
}))

/** Starts over with another file. Rows that were worked on are asked about first. */
export function ReplaceFile({ session }: { session: ImportSession }) {
  const { phase, canUndo, restoredAt, name } = session.state
  const [asking, setAsking] = useState(false)
  if (phase !== "ready") return null
  if (!canUndo && restoredAt === null) {
    return <ChooseFile label="Replace file" onChoose={(file) => void session.open({ kind: "file", file })} />
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>Start over</Button>
      {asking && (
        <Suspense>
          <ConfirmDialog
            title="Start over with another file"
            action="Discard these rows"
            tone="danger"
            error={null}
            busy={false}
            onClose={() => setAsking(false)}
            onConfirm={() => {
              setAsking(false)
              void session.clear()
            }}
          >
            The rows of {name} and what was changed in them are discarded. Nothing has been sent.
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  )
}
