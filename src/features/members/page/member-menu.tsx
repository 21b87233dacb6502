import "@mantine/core/styles/Menu.layer.css"
import { Menu } from "@mantine/core"
import {
  IconArrowMerge,
  IconCircleCheck,
  IconCircleMinus,
  IconCopy,
  IconCreditCard,
  IconHistory,
  IconMinus,
  IconTrash,
} from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import { Fragment, type ReactElement, useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { useCan } from "../../../api/session.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { menuFocusFix } from "../../../ui/hooks.ts"
import { useCopy } from "../../../ui/values.tsx"
import { dialogAddress, otherStatus, useMemberTab } from "./member-state.ts"
import { buttonIcon } from "../../../ui/button.tsx"

/** Further actions of a member; open on mount, since its button was pressed before the code was loaded. */
export function MemberMenu({ member, target }: { member: Member; target: ReactElement }) {
  const tab = useMemberTab()
  const [open, setOpen] = useState(true)
  const navigate = useNavigate({ from: "/members/$memberId" })
  const { id } = member
  const deduct = () =>
    void navigate({ to: ".", search: (now) => ({ ...now, act: "deduct", for: id }), resetScroll: false })
  const issue = () => void navigate({ to: "/cards/issue", search: { for: id }, resetScroll: false })
  const openDialog = (dialog: "deactivate" | "merge" | "delete") => () =>
    void navigate(dialogAddress(dialog, id, tab))
  const { said, copy } = useCopy(id)
  const mayReadAudit = useCan("audit.read")
  const status =
    otherStatus(member) === "inactive"
      ? { label: "Deactivate", Icon: IconCircleMinus }
      : { label: "Activate", Icon: IconCircleCheck }
  const items = [
    { permission: "points.write", label: "Deduct points", Icon: IconMinus, onClick: deduct },
    { permission: "cards.issue", label: "Issue a gift card", Icon: IconCreditCard, onClick: issue },
    { permission: "members.edit", ...status, onClick: openDialog("deactivate") },
    {
      permission: "points.write",
      label: "Merge into another member…",
      Icon: IconArrowMerge,
      onClick: openDialog("merge"),
    },
    { permission: "members.delete", label: "Delete", Icon: IconTrash, onClick: openDialog("delete") },
  ] as const
  return (
    <Menu {...menuFocusFix} opened={open} onChange={setOpen}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy {...buttonIcon} />} closeMenuOnClick={false} onClick={copy}>
          <output>{said ?? "Copy member id"}</output>
        </Menu.Item>
        {mayReadAudit && (
          <Menu.Item
            leftSection={<IconHistory {...buttonIcon} />}
            onClick={() => void navigate({ to: "/audit", search: { kind: "member", id } })}
          >
            Change history
          </Menu.Item>
        )}
        {items.map(({ permission, label, Icon, onClick }) => (
          <Fragment key={label}>
            {permission === "members.delete" && <Menu.Divider />}
            <RequirePermission permission={permission}>
              <Menu.Item
                data-danger={permission === "members.delete" || undefined}
                leftSection={<Icon {...buttonIcon} />}
                onClick={onClick}
              >
                {label}
              </Menu.Item>
            </RequirePermission>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
