import { Button } from "@mantine/core"
import { IconGift, IconPencil, IconPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { fullName } from "../../../lib/names.ts"
import { Avatar } from "../../../ui/values.tsx"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Status } from "../../../ui/status.tsx"
import classes from "./member-header.module.css"
import { MemberMenu } from "./member-menu.tsx"
import type { MemberTab } from "./use-member-page.ts"

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
