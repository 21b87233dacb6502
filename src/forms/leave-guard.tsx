import { useBlocker } from "@tanstack/react-router"
import { ConfirmDialog } from "../ui/confirm-dialog.tsx"

interface LeaveGuard {
  /** The question is on the screen. */
  readonly asking: boolean
  /** Draw it beside the form, never inside: a form in a form would submit both. */
  readonly dialog: React.ReactNode
}

interface LeaveGuardOptions {
  /** Something is typed that is not saved. */
  readonly unsaved: boolean
  /** A draft survives a reload, so only leaving the page within the desk asks. */
  readonly survivesReload: boolean
  /** Called when the person gives it up. */
  readonly onDiscard: () => void
}

/** Asks before a page with unsaved changes is left. A change of the address's parameters alone leaves nothing. */
export function useLeaveGuard({ unsaved, survivesReload, onDiscard }: LeaveGuardOptions): LeaveGuard {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved && !survivesReload,
    withResolver: true,
  })
  if (blocker.status !== "blocked") return { asking: false, dialog: null }
  return {
    asking: true,
    dialog: (
      <ConfirmDialog
        title="Discard unsaved changes?"
        action="Discard"
        keep="Keep editing"
        tone="danger"
        busy={false}
        error={null}
        onConfirm={() => {
          onDiscard()
          blocker.proceed()
        }}
        onClose={blocker.reset}
      >
        <p>What you typed will be lost.</p>
      </ConfirmDialog>
    ),
  }
}
