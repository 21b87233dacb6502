import { useState } from "react"
import { useCan, useSession } from "../../../api/session.ts"
import { MemberPicker } from "../../../forms/member-picker/member-picker.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { PointsOutcome } from "./points-outcome.tsx"
import { PointsForm } from "./points-form.tsx"
import type { PointsValues } from "./points-model.ts"
import { pointsTitles } from "./points-words.ts"
import { usePointsAddress } from "./use-points-address.ts"

/** Awards or deducts points in a drawer above any page: whom, the form, and the outcome in its place. */
export function PointsDrawer() {
  const address = usePointsAddress()
  const { act, memberIds, outcome, close } = address
  const userId = useSession().user.id
  const allowed = useCan("points.write")
  const [typed, setTyped] = useState<PointsValues>()

  if (!allowed) {
    return (
      <SideDrawer title={pointsTitles[act]} onClose={close}>
        <Notice
          tone="info"
          title={`${act === "award" ? "Awarding" : "Deducting"} points requires the Manager role`}
        >
          You can view points but not change them. Ask an administrator to change your role.
        </Notice>
      </SideDrawer>
    )
  }
  if (outcome !== undefined) {
    return (
      <PointsOutcome
        key={outcome}
        jobId={outcome}
        onAgain={(again, ids) => {
          setTyped(undefined)
          address.showForm(again, ids)
        }}
        onCorrect={(again, ids, values) => {
          setTyped(values)
          address.showForm(again, ids)
        }}
        onOther={address.showOutcome}
        onClose={close}
      />
    )
  }
  if (memberIds.length === 0) {
    return (
      <SideDrawer title={pointsTitles[act]} onClose={close}>
        <MemberPicker label="Member" onPick={({ id }) => address.choose([id])} />
      </SideDrawer>
    )
  }
  return (
    <PointsForm
      act={act}
      memberIds={memberIds}
      userId={userId}
      typed={typed}
      onMembers={address.choose}
      onSent={address.showOutcome}
      onClose={close}
    />
  )
}
