import { useNavigate, getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { useCan } from "../../../api/session.ts"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { CreateForm } from "./create-form.tsx"
import type { CreateValues } from "./create-model.ts"
import { CreateOutcome } from "./create-outcome.tsx"

const route = getRouteApi("/_desk/members/new")

/** Creates a member in a drawer over the list; the outcome takes the form's place and has its own address. */
export function CreateMember() {
  const navigate = useNavigate({ from: "/members/new" })
  const { made } = route.useSearch()
  const mayCreate = useCan("members.edit")
  const [typed, setTyped] = useState<CreateValues>()
  const close = () =>
    void navigate({ to: "/members", search: ({ made: _made, ...now }) => now, resetScroll: false })
  const show = (jobId: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, made: jobId }), replace: true, resetScroll: false })
  if (!mayCreate) {
    return (
      <SideDrawer title="New member" wide onClose={close}>
        <Notice tone="info" title="Creating members requires the Manager role">
          You can view members but not create them.
        </Notice>
      </SideDrawer>
    )
  }
  if (made === undefined) return <CreateForm typed={typed} onSent={show} onClose={close} />
  const again = (values: CreateValues | undefined) => {
    setTyped(values)
    show(undefined)
  }
  return (
    <CreateOutcome
      key={made}
      jobId={made}
      onAgain={() => again(undefined)}
      onCorrect={again}
      onClose={close}
    />
  )
}
