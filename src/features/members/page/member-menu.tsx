import { Menu } from "@mantine/core"
import {
  IconCircleCheck,
  IconCircleMinus,
  IconCopy,
  IconCreditCard,
  IconDots,
  IconHistory,
  IconMinus,
  IconTrash,
} from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { useCan } from "../../../api/session.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { useCopy } from "../../../ui/values.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { otherStatus } from "./member-status.ts"
import type { MemberTab } from "./use-member-page.ts"

/** What is done with a member less often. */
export function MemberMenu({ member, tab }: { member: Member; tab: MemberTab }) {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const open = (to: "/members/$memberId/deactivate" | "/members/$memberId/delete") => () =>
    void navigate({
      to,
      params: { memberId: member.id },
      search: (now) => ({ ...now, behind: tab === "ledger" ? undefined : tab }),
      resetScroll: false,
    })
  const { said, copy } = useCopy(member.id)
  const mayReadAudit = useCan("audit.read")
  const active = otherStatus(member) === "inactive"
  const StatusIcon = active ? IconCircleMinus : IconCircleCheck
  return (
    <Menu withinPortal={false}>
      <Menu.Target>
        <IconButton label="More actions" icon={<IconDots size={16} stroke={1.75} />} size="lg" outlined />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={16} stroke={1.75} />} closeMenuOnClick={false} onClick={copy}>
          <output>{said ?? "Copy member id"}</output>
        </Menu.Item>
        {mayReadAudit && (
          <Menu.Item
            leftSection={<IconHistory size={16} stroke={1.75} />}
            onClick={() => void navigate({ to: "/audit", search: { kind: "member", id: member.id } })}
          >
            Change history
          </Menu.Item>
        )}
        <RequirePermission permission="points.write">
          <Menu.Item
            leftSection={<IconMinus size={16} stroke={1.75} />}
            onClick={() =>
              void navigate({
                to: ".",
                search: (now) => ({ ...now, act: "deduct", for: member.id }),
                resetScroll: false,
              })
            }
          >
            Deduct points
          </Menu.Item>
        </RequirePermission>
        <RequirePermission permission="cards.issue">
          <Menu.Item
            leftSection={<IconCreditCard size={16} stroke={1.75} />}
            onClick={() =>
              void navigate({ to: "/cards/issue", search: { for: member.id }, resetScroll: false })
            }
          >
            Issue a gift card
          </Menu.Item>
        </RequirePermission>
        <RequirePermission permission="members.edit">
          <Menu.Item
            leftSection={<StatusIcon size={16} stroke={1.75} />}
            onClick={open("/members/$memberId/deactivate")}
          >
            {active ? "Deactivate" : "Activate"}
          </Menu.Item>
        </RequirePermission>
        <Menu.Divider />
        <RequirePermission permission="members.delete">
          <Menu.Item
            data-danger
            leftSection={<IconTrash size={16} stroke={1.75} />}
            onClick={open("/members/$memberId/delete")}
          >
            Delete
          </Menu.Item>
        </RequirePermission>
      </Menu.Dropdown>
    </Menu>
  )
}
