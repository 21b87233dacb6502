import { IconFileDownload } from "@tabler/icons-react"
import { lazy, Suspense, useEffect, useState } from "react"
import type { ImportSession } from "../session/import-session.ts"
import classes from "./drop-anywhere.module.css"

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/confirm-dialog.tsx")).ConfirmDialog,
}))

/** Where a paste belongs to what is written, or to a dialog that is open. */
const elsewhere = "input, textarea, select, [contenteditable=true], dialog, [role=dialog], [role=grid]"

/**
 * Takes a file that is dropped anywhere in the window, and cells that are pasted while nothing is open yet. A file
 * dropped over rows that were worked on asks first.
 */
export function DropAnywhere({ session }: { session: ImportSession }) {
  const [over, setOver] = useState(false)
  const [waiting, setWaiting] = useState<File | null>(null)
  const { open } = session
  const { phase, canUndo, restoredAt } = session.state
  const worked = phase === "ready" && (canUndo || restoredAt !== null)

  useEffect(() => {
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true
    const onOver = (event: DragEvent) => {
      if (!hasFile(event)) return
      // Otherwise the browser would leave the page for the file.
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFile(event)) return
      event.preventDefault()
      setOver(false)
      const file = event.dataTransfer?.files[0]
      if (file === undefined || phase === "starting") return
      if (worked) setWaiting(file)
      else void open({ kind: "file", file })
    }
    const onPaste = (event: ClipboardEvent) => {
      if (phase !== "empty" || (event.target instanceof Element && event.target.closest(elsewhere) !== null))
        return
      const file = event.clipboardData?.files[0]
      const text = event.clipboardData?.getData("text/plain") ?? ""
      if (file !== undefined && text === "") void open({ kind: "file", file })
      else void open({ kind: "paste", text })
      event.preventDefault()
    }
    window.addEventListener("dragover", onOver)
    window.addEventListener("dragleave", onLeave)
    window.addEventListener("drop", onDrop)
    document.addEventListener("paste", onPaste)
    return () => {
      window.removeEventListener("dragover", onOver)
      window.removeEventListener("dragleave", onLeave)
      window.removeEventListener("drop", onDrop)
      document.removeEventListener("paste", onPaste)
    }
  }, [open, phase, worked])

  return (
    <>
      {over && (
        <div className={classes.over} aria-hidden>
          <IconFileDownload size={28} stroke={1.5} />
          Drop the file here
        </div>
      )}
      {waiting !== null && (
        <Suspense>
          <ConfirmDialog
            title={`Replace the rows with ${waiting.name}`}
            action="Replace the rows"
            tone="danger"
            error={null}
            busy={false}
            onClose={() => setWaiting(null)}
            onConfirm={() => {
              setWaiting(null)
              void open({ kind: "file", file: waiting })
            }}
          >
            Your changes to these rows will be lost. Nothing has been sent.
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  )
}
