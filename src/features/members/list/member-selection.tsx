import { IconCircleMinus, IconMinus, IconPlus } from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { formatPoints } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { type Selection, SelectionAction, SelectionBar } from "../../../lists/selection.tsx"

const DeactivateDialog = lazy(async () => ({
  default: (await import("./deactivate-dialog.tsx")).DeactivateDialog,
}))

/** Members one address has room for; more of them go to the page that awards from a list. */
const mostInAddress = 200

interface MemberSelectionProps {
  selection: Selection<Member>
  /** Many members are being changed one by one: the list waits with reading itself again. */
  onBusy: (busy: boolean) => void
}

/** What can be done with the selected members. */
export function MemberSelection({ selection, onBusy }: MemberSelectionProps) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const change = (act: "award" | "deduct") => {
    const ids = selection.rows.map(({ id }) => id)
    if (ids.length <= mostInAddress) {
      void navigate({ to: ".", search: (now) => ({ ...now, act, for: ids }), resetScroll: false })
    } else {
      const chosen = selection.rows.map((member) => [member.id, fullName(member)] as const)
      void navigate({ to: "/members/points-file", search: { kind: act }, state: { chosen } })
    }
  }
  const points = selection.rows.reduce((sum, member) => sum + (member.points_balance ?? 0), 0)
  return (
    <>
      <SelectionBar
        count={selection.rows.length}
        sum={`${formatPoints(points)} points in total`}
        onClear={selection.clear}
      >
        <SelectionAction
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          label="Award"
          onClick={() => change("award")}
        />
        <SelectionAction
          icon={<IconMinus size={16} stroke={1.75} aria-hidden />}
          label="Deduct"
          onClick={() => change("deduct")}
        />
        <SelectionAction
          icon={<IconCircleMinus size={16} stroke={1.75} aria-hidden />}
          label="Deactivate"
          onClick={() => setOpen(true)}
        />
      </SelectionBar>
      {open && (
        <Suspense>
          <DeactivateDialog
            members={selection.rows}
            onBusy={onBusy}
            onClose={(left) => {
              setOpen(false)
              if (left !== undefined) selection.change(Object.fromEntries(left.map((id) => [id, true])))
            }}
          />
        </Suspense>
      )}
    </>
  )
}
