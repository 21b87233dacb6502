import { Button, Menu } from "@mantine/core"
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
import { Link, useNavigate } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { useCan } from "../../../api/session.ts"
import { type MemberTab, otherStatus } from "./member-state.ts"
import { fullName } from "../../../lib/names.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Status } from "../../../ui/status.tsx"
import { Avatar, useCopy } from "../../../ui/values.tsx"
import classes from "../member-page.module.css"

interface MemberHeaderProps {
  member: Member
  tab: MemberTab
  /** Without the record there is nothing to edit either: only the name is shown. */
  withActions: boolean
}

/** Who this is, and what can be done with the record. */
export function MemberHeader({ member, tab, withActions }: MemberHeaderProps) {
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
      {...(withActions ? { actions: <MemberActions member={member} tab={tab} /> } : {})}
    />
  )
}

function MemberActions({ member, tab }: { member: Member; tab: MemberTab }) {
  return (
    <>
      <RequirePermission permission="rewards.redeem">
        <Button
          renderRoot={(props) => (
            <Link {...props} to="/rewards/redeem" search={{ for: member.id }} resetScroll={false} />
          )}
          leftSection={<IconGift size={16} stroke={1.75} aria-hidden />}
        >
          Redeem
        </Button>
      </RequirePermission>
      <RequirePermission permission="members.edit">
        <Button
          renderRoot={(props) => (
            <Link
              {...props}
              from="/members/$memberId"
              to="/members/$memberId/edit"
              params={{ memberId: member.id }}
              search={(now) => ({ ...now, behind: tab === "ledger" ? undefined : tab })}
              resetScroll={false}
            />
          )}
          leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
        >
          Edit
        </Button>
      </RequirePermission>
      <RequirePermission permission="points.write">
        <Button
          variant="filled"
          renderRoot={(props) => (
            <Link
              {...props}
              to="."
              search={(now) => ({ ...now, act: "award", for: member.id })}
              resetScroll={false}
            />
          )}
          leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
        >
          Award points
        </Button>
      </RequirePermission>
      <MemberMenu member={member} tab={tab} />
    </>
  )
}

/** What is done with a member less often. */
function MemberMenu({ member, tab }: { member: Member; tab: MemberTab }) {
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
