import { Button, Modal } from "@mantine/core"
import { useBlocker } from "@tanstack/react-router"
import { useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { formatCount } from "../../../lib/format.ts"
import { useFocusBack } from "../../../ui/hooks.ts"
import { DeactivateQuestion } from "./deactivate-question.tsx"
import classes from "./deactivate-dialog.module.css"
import { DeactivateOutcomes } from "./deactivate-outcomes.tsx"
import { useDeactivate } from "./use-deactivate.ts"

interface DeactivateDialogProps {
  /** The selected members, as they were when the dialog opened. */
  members: readonly Member[]
  /** `left`: ids that stay selected because they are not deactivated; undefined when nothing was tried. */
  onClose: (left?: readonly string[]) => void
  /** While it runs, each change would make the list be read again. */
  onBusy: (busy: boolean) => void
}

const isInactive = (member: Member) => member.status?.toLowerCase() === "inactive"

/** "1 member", "3 members". */
export function membersText(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "member" : "members"}`
}

/** Asks, deactivates one after the other, and says what became of each. */
export function DeactivateDialog({ members, onClose, onBusy }: DeactivateDialogProps) {
  useFocusBack()
  // The list is read again meanwhile; the question and its outcomes stay about the same members.
  const [asked] = useState(members)
  const targets = asked.filter((member) => !isInactive(member))
  const { outcomes, running, start, stop } = useDeactivate(onBusy)
  useBlocker({ shouldBlockFn: () => running, enableBeforeUnload: () => running })

  const begun = outcomes.size > 0
  const open = targets.filter(({ id }) => outcomes.get(id)?.state !== "done")
  const close = () => onClose(begun ? open.map(({ id }) => id) : undefined)
  return (
    <Modal
      opened
      onClose={running ? () => undefined : close}
      title={
        begun && !running
          ? summary(targets.length - open.length, open.length)
          : `Deactivate ${membersText(asked.length)}`
      }
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={!running}
      closeOnEscape={!running}
      closeButtonProps={{ "aria-label": "Close", disabled: running }}
    >
      {begun ? (
        <DeactivateOutcomes members={targets} outcomes={outcomes} running={running} />
      ) : (
        <DeactivateQuestion members={asked} targets={targets} />
      )}
      <div className={classes.actions}>
        {running && <Button onClick={stop}>Stop after this one</Button>}
        {!running && !begun && <Button onClick={close}>{targets.length === 0 ? "Close" : "Cancel"}</Button>}
        {!running && !begun && targets.length > 0 && (
          <Button variant="filled" data-autofocus onClick={() => start(targets)}>
            Deactivate {membersText(targets.length)}
          </Button>
        )}
        {!running && begun && open.length > 0 && (
          <Button onClick={() => start(open)}>Try {membersText(open.length)} again</Button>
        )}
        {!running && begun && (
          <Button variant="filled" onClick={close}>
            Done
          </Button>
        )}
      </div>
    </Modal>
  )
}

function summary(done: number, open: number): string {
  if (open === 0) return `${membersText(done)} deactivated`
  return done === 0
    ? "No member was deactivated"
    : `${formatCount(done)} deactivated, ${formatCount(open)} not`
}
