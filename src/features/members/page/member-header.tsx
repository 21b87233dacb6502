import { Box, Menu } from "@mantine/core"
import {
  IconCircleCheck,
  IconCircleMinus,
  IconCopy,
  IconCreditCard,
  IconDots,
  IconGift,
  IconHistory,
  IconMinus,
  IconPencil,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import type { Permission } from "../../../../contract/roles.ts"
import { useCan } from "../../../api/session.ts"
import { behindOf, type MemberTab, otherStatus } from "./member-state.ts"
import { fullName } from "../../../lib/names.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { LinkButton } from "../../../ui/link-button.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Status } from "../../../ui/status.tsx"
import { Avatar, useCopy } from "../../../ui/values.tsx"

const icon = { size: 16, stroke: 1.75, "aria-hidden": true } as const

/** Who this is, and what can be done with the record; without the record only the name. */
export function MemberHeader(props: { member: Member; tab: MemberTab; withActions: boolean }) {
  const { member, tab, withActions } = props
  const name = fullName(member)
  const about = [member.company, member.tier && `${member.tier} tier`].filter(Boolean).join(", ")
  return (
    <PageHeader
      title={name}
      path={[{ label: "Members", to: "/members" }]}
      lead={<Avatar name={name} size="md" accent />}
      pill={
        <>
          <Status of="member" value={member.status} pill />
          {about !== "" && (
            <Box component="span" flex="0 0 100%" className="text-secondary wrap-anywhere">
              {about}
            </Box>
          )}
        </>
      }
      {...(withActions && {
        actions: (
          <>
            <RequirePermission permission="rewards.redeem">
              <LinkButton
                to="/rewards/redeem"
                search={{ for: member.id }}
                resetScroll={false}
                leftSection={<IconGift {...icon} />}
              >
                Redeem
              </LinkButton>
            </RequirePermission>
            <RequirePermission permission="members.edit">
              <LinkButton
                from="/members/$memberId"
                to="/members/$memberId/edit"
                params={{ memberId: member.id }}
                search={(now) => ({ ...now, ...behindOf(tab) })}
                resetScroll={false}
                leftSection={<IconPencil {...icon} />}
              >
                Edit
              </LinkButton>
            </RequirePermission>
            <RequirePermission permission="points.write">
              <LinkButton
                variant="filled"
                to="."
                search={(now) => ({ ...now, act: "award", for: member.id })}
                resetScroll={false}
                leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
              >
                Award points
              </LinkButton>
            </RequirePermission>
            <MemberMenu member={member} tab={tab} />
          </>
        ),
      })}
    />
  )
}

function MemberMenu({ member, tab }: { member: Member; tab: MemberTab }) {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const { id } = member
  const openDialog = (to: "/members/$memberId/deactivate" | "/members/$memberId/delete") => () =>
    void navigate({
      to,
      params: { memberId: id },
      search: (now) => ({ ...now, ...behindOf(tab) }),
      resetScroll: false,
    })
  const deduct = () =>
    void navigate({ to: ".", search: (now) => ({ ...now, act: "deduct", for: id }), resetScroll: false })
  const issue = () => void navigate({ to: "/cards/issue", search: { for: id }, resetScroll: false })
  const { said, copy } = useCopy(id)
  const mayReadAudit = useCan("audit.read")
  const isActive = otherStatus(member) === "inactive"
  const item = (permission: Permission, label: string, Icon: typeof IconMinus, onClick: () => void) => (
    <RequirePermission permission={permission}>
      <Menu.Item
        data-danger={permission === "members.delete" || undefined}
        leftSection={<Icon {...icon} />}
        onClick={onClick}
      >
        {label}
      </Menu.Item>
    </RequirePermission>
  )
  return (
    <Menu withinPortal={false}>
      <Menu.Target>
        <IconButton label="More actions" icon={<IconDots size={16} stroke={1.75} />} size="lg" outlined />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy {...icon} />} closeMenuOnClick={false} onClick={copy}>
          <output>{said ?? "Copy member id"}</output>
        </Menu.Item>
        {mayReadAudit && (
          <Menu.Item
            leftSection={<IconHistory {...icon} />}
            onClick={() => void navigate({ to: "/audit", search: { kind: "member", id } })}
          >
            Change history
          </Menu.Item>
        )}
        {item("points.write", "Deduct points", IconMinus, deduct)}
        {item("cards.issue", "Issue a gift card", IconCreditCard, issue)}
        {item(
          "members.edit",
          isActive ? "Deactivate" : "Activate",
          isActive ? IconCircleMinus : IconCircleCheck,
          openDialog("/members/$memberId/deactivate"),
        )}
        <Menu.Divider />
        {item("members.delete", "Delete", IconTrash, openDialog("/members/$memberId/delete"))}
      </Menu.Dropdown>
    </Menu>
  )
}
