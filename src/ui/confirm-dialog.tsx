import { Button, Modal } from "@mantine/core"
import type { ReactNode } from "react"
import classes from "./confirm-dialog.module.css"
import { ErrorNotice } from "./error-notice.tsx"
import { useFocusBack } from "./hooks.ts"

interface ConfirmDialogProps {
  title: ReactNode
  action: string
  keep?: string
  tone: "danger" | "plain"
  onConfirm: () => void
  error: unknown
  what?: string
  busy: boolean
  ready?: boolean
  onClose: () => void
  children?: ReactNode
}

/** Asks before what cannot be undone. Shows its own error. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, keep = "Cancel", tone, onConfirm, error, busy, ready = true } = props
  const { what = "Nothing was done." } = props
  useFocusBack()
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={title}
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      closeButtonProps={{ "aria-label": "Close", disabled: busy }}
    >
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) onConfirm()
        }}
      >
        {props.children}
        {error !== null && error !== undefined && <ErrorNotice error={error} what={what} />}
        <div className={classes.actions}>
          <Button data-autofocus onClick={props.onClose} disabled={busy}>
            {keep}
          </Button>
          <Button
            type="submit"
            variant="filled"
            {...(tone === "danger" ? { color: "danger" } : {})}
            loading={busy}
            disabled={!ready}
          >
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
