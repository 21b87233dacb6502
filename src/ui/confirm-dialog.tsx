import "@mantine/core/styles/Modal.layer.css"
import { Group, Modal, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { ErrorNotice } from "./notice.tsx"
import { useFocusBack, useSubmitKey } from "./hooks.ts"
import { Button } from "./button.tsx"

/** A dialog over the page, open while mounted; `busy` prevents closing by Escape and outside clicks. */
export function Dialog(props: {
  title: ReactNode
  onClose: () => void
  busy?: boolean
  children: ReactNode
}) {
  const { title, onClose, busy = false, children } = props
  useFocusBack()
  useSubmitKey()
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={!busy} closeOnEscape={!busy}>
      {children}
    </Modal>
  )
}

/** Confirms an irreversible action. Shows its own error. */
export function ConfirmDialog(props: {
  title: ReactNode
  action: string
  keep?: string
  tone: "danger" | "plain"
  onConfirm: () => void
  error?: unknown
  what?: string
  busy?: boolean
  ready?: boolean
  onClose: () => void
  children?: ReactNode
}) {
  const { title, action, keep = "Cancel", tone, onConfirm, error, onClose } = props
  const { busy = false, ready = true } = props
  return (
    <Dialog title={title} onClose={onClose} busy={busy}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) onConfirm()
        }}
      >
        <Stack>
          {props.children}
          <ErrorNotice error={error} what={props.what ?? "Nothing was done."} />
          <Group justify="flex-end" gap="sm" mt="sm">
            {/* Not disabled while busy, because it may have the focus. */}
            <Button data-autofocus onClick={busy ? undefined : onClose} aria-disabled={busy || undefined}>
              {keep}
            </Button>
            <Button
              type="submit"
              variant="filled"
              {...(tone === "danger" && { color: tone })}
              loading={busy}
              disabled={!ready}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
