import "../../../mantine-parts.css"
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
import { Fragment } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { useCan } from "../../../api/session.ts"
import { dialogAddress, type MemberTab, otherStatus } from "./member-state.ts"
import { fullName } from "../../../lib/names.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { buttonIcon, LinkButton } from "../../../ui/link-button.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Status } from "../../../ui/status.tsx"
import { Avatar, useCopy } from "../../../ui/values.tsx"

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
      actions={
        withActions && (
          <>
            <RequirePermission permission="rewards.redeem">
              <LinkButton
                to="/rewards/redeem"
                search={{ for: member.id }}
                resetScroll={false}
                leftSection={<IconGift {...buttonIcon} />}
              >
                Redeem
              </LinkButton>
            </RequirePermission>
            <RequirePermission permission="members.edit">
              <LinkButton
                {...dialogAddress("edit", member.id, tab)}
                leftSection={<IconPencil {...buttonIcon} />}
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
                leftSection={<IconPlus {...buttonIcon} stroke={2} />}
              >
                Award points
              </LinkButton>
            </RequirePermission>
            <MemberMenu member={member} tab={tab} />
          </>
        )
      }
    />
  )
}

function MemberMenu({ member, tab }: { member: Member; tab: MemberTab }) {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const { id } = member
  const deduct = () =>
    void navigate({ to: ".", search: (now) => ({ ...now, act: "deduct", for: id }), resetScroll: false })
  const issue = () => void navigate({ to: "/cards/issue", search: { for: id }, resetScroll: false })
  const openDialog = (dialog: "deactivate" | "delete") => () => void navigate(dialogAddress(dialog, id, tab))
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
    { permission: "members.delete", label: "Delete", Icon: IconTrash, onClick: openDialog("delete") },
  ] as const
  return (
    <Menu withinPortal={false}>
      <Menu.Target>
        <IconButton label="More actions" icon={<IconDots size={16} stroke={1.75} />} size="lg" outlined />
      </Menu.Target>
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
