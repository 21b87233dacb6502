import type { ComponentProps } from "react"
import { ConfirmDialog } from "../ui/confirm-dialog.tsx"
import { needsSubmissionNote, SubmissionNote, type useSendJob } from "./job-submission.tsx"

/** Confirms an action that becomes a job; `send` is what `useSendJob` returned. Shows its errors. */
export function JobConfirmDialog({
  send,
  children,
  ...dialog
}: Omit<ComponentProps<typeof ConfirmDialog>, "busy" | "error"> & {
  send: Pick<ReturnType<typeof useSendJob>, "isPending" | "error">
}) {
  const { isPending, error } = send
  const isUncertain = needsSubmissionNote(error)
  return (
    <ConfirmDialog {...dialog} busy={isPending} error={isUncertain ? null : error}>
      {children}
      {isUncertain && <SubmissionNote error={error} button={dialog.action} />}
    </ConfirmDialog>
  )
}
