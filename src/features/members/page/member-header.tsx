import { Menu } from "@mantine/core"
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
import { useCan } from "../../../api/session.ts"
import { behindOf, type MemberTab, otherStatus } from "./member-state.ts"
import { fullName } from "../../../lib/names.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { LinkButton } from "../../../ui/link-button.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Status } from "../../../ui/status.tsx"
import { Avatar, useCopy } from "../../../ui/values.tsx"
import classes from "../member-page.module.css"

const icon = { size: 16, stroke: 1.75, "aria-hidden": true } as const

interface MemberOnTab {
  member: Member
  tab: MemberTab
}

/** Who this is, and what can be done with the record; without the record only the name. */
export function MemberHeader({ member, tab, withActions }: MemberOnTab & { withActions: boolean }) {
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
          {about !== "" && <span className={classes.about}>{about}</span>}
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

function MemberMenu({ member, tab }: MemberOnTab) {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const { id } = member
  const openDialog = (to: "/members/$memberId/deactivate" | "/members/$memberId/delete") => () =>
    void navigate({
      to,
      params: { memberId: id },
      search: (now) => ({ ...now, ...behindOf(tab) }),
      resetScroll: false,
    })
  const { said, copy } = useCopy(id)
  const mayReadAudit = useCan("audit.read")
  const active = otherStatus(member) === "inactive"
  const changes = [
    {
      permission: "points.write",
      label: "Deduct points",
      Icon: IconMinus,
      onClick: () =>
        void navigate({
          to: ".",
          search: (now) => ({ ...now, act: "deduct", for: id }),
          resetScroll: false,
        }),
    },
    {
      permission: "cards.issue",
      label: "Issue a gift card",
      Icon: IconCreditCard,
      onClick: () => void navigate({ to: "/cards/issue", search: { for: id }, resetScroll: false }),
    },
    {
      permission: "members.edit",
      label: active ? "Deactivate" : "Activate",
      Icon: active ? IconCircleMinus : IconCircleCheck,
      onClick: openDialog("/members/$memberId/deactivate"),
    },
  ] as const
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
        {changes.map(({ permission, label, Icon, onClick }) => (
          <RequirePermission key={label} permission={permission}>
            <Menu.Item leftSection={<Icon {...icon} />} onClick={onClick}>
              {label}
            </Menu.Item>
          </RequirePermission>
        ))}
        <Menu.Divider />
        <RequirePermission permission="members.delete">
          <Menu.Item
            data-danger
            leftSection={<IconTrash {...icon} />}
            onClick={openDialog("/members/$memberId/delete")}
          >
            Delete
          </Menu.Item>
        </RequirePermission>
      </Menu.Dropdown>
    </Menu>
  )
}
