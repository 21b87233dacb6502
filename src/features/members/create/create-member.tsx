import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { useCan } from "../../../api/permissions.ts"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { CreateForm } from "./create-form.tsx"
import { CreateOutcome } from "./create-outcome.tsx"

/** Creates a member in a drawer over the list; the outcome takes the form's place. */
export function CreateMember() {
  const navigate = useNavigate({ from: "/members/new" })
  const mayCreate = useCan("members.edit")
  const [created, setCreated] = useState<Member | null>(null)
  const close = () => void navigate({ to: "/members", search: (now) => now, resetScroll: false })
  if (!mayCreate) {
    return (
      <SideDrawer title="New member" wide onClose={close}>
        <Notice tone="info" title="Creating members needs manager">
          Your role may look at members and not create any.
        </Notice>
      </SideDrawer>
    )
  }
  if (created !== null) {
    return <CreateOutcome member={created} onAgain={() => setCreated(null)} onClose={close} />
  }
  return <CreateForm onCreated={setCreated} onClose={close} />
}
