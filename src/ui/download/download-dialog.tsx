import { Button, Modal } from "@mantine/core"
import type { ReactNode } from "react"
import { formatCount } from "../../lib/format.ts"
import { ErrorNotice } from "../error-notice.tsx"
import { Notice } from "../notice.tsx"
import { useFocusBack } from "../use-focus-back.ts"
import classes from "./download-dialog.module.css"
import { Meter } from "./meter.tsx"
import { useDownload, type DownloadTask } from "./use-download.ts"

interface DownloadDialogProps {
  /** "Download the results". */
  title: string
  /** What the file holds, what is chosen about it, and what it costs. */
  children: ReactNode
  /** "Download 500 rows". */
  action: string
  task: () => DownloadTask
  /** Nothing can be downloaded: there are no rows. */
  ready?: boolean
  onClose: () => void
}

/** Asks what to download, shows how far it is, and says what was written. Closing it cancels what runs. */
export function DownloadDialog({
  title,
  children,
  action,
  task,
  ready = true,
  onClose,
}: DownloadDialogProps) {
  useFocusBack()
  const { state, start, cancel } = useDownload()
  const running = state.step === "running"
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={!running}
      closeOnEscape={!running}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className={classes.body}>
        {state.step === "done" ? (
          <Notice
            tone="success"
            title={`${formatCount(state.rows)} ${state.rows === 1 ? "row was" : "rows were"} exported`}
          >
            {state.name} is in your downloads, or where you chose to keep it.
          </Notice>
        ) : (
          <fieldset disabled={running} className={classes.options}>
            <legend className="l-spoken">{title}</legend>
            {children}
          </fieldset>
        )}
        {running && <Meter label={title} progress={state.progress} />}
        {state.step === "failed" && <ErrorNotice error={state.error} what="No file was created." />}
        <div className={classes.actions}>
          {state.step === "done" ? (
            <Button variant="filled" data-autofocus onClick={onClose}>
              Done
            </Button>
          ) : (
            <>
              <Button onClick={running ? cancel : onClose}>Cancel</Button>
              <Button
                variant="filled"
                data-autofocus
                loading={running}
                disabled={!ready}
                onClick={() => start(task())}
              >
                {action}
              </Button>
            </>
          )}
        </div>
      </div>
    </Modal>
  )
}
