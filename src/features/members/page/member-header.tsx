import { Box } from "@mantine/core"
import { IconDots, IconGift, IconPencil, IconPlus } from "@tabler/icons-react"
import { lazy, memo, Suspense, useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { dialogAddress, useMemberTab } from "./member-state.ts"
import { fullName } from "../../../lib/names.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { buttonIcon, IconButton, LinkButton } from "../../../ui/button.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Status } from "../../../ui/status.tsx"
import { Avatar } from "../../../ui/values.tsx"

const memberMenu = () => import("./member-menu.tsx")
const warm = () => void memberMenu()
const MemberMenu = lazy(async () => ({ default: (await memberMenu()).MemberMenu }))

/** The member's name and actions; without the record only the name. */
export const MemberHeader = memo(function MemberHeader(props: { member: Member; withActions: boolean }) {
  const { member, withActions } = props
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
                to="."
                search={(now) => ({ ...now, act: "redeem", for: member.id })}
                resetScroll={false}
                leftSection={<IconGift {...buttonIcon} />}
              >
                Redeem
              </LinkButton>
            </RequirePermission>
            <EditButton memberId={member.id} />
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
            <MoreActions member={member} />
          </>
        )
      }
    />
  )
})

function EditButton({ memberId }: { memberId: string }) {
  const address = dialogAddress("edit", memberId, useMemberTab())
  return (
    <RequirePermission permission="members.edit">
      <LinkButton {...address} leftSection={<IconPencil {...buttonIcon} />}>
        Edit
      </LinkButton>
    </RequirePermission>
  )
}

/** The menu is a sixth of the first view's code: loaded when it is about to be opened. */
function MoreActions({ member }: { member: Member }) {
  const [wanted, setWanted] = useState(false)
  const button = (
    <IconButton
      label="More actions"
      icon={<IconDots {...buttonIcon} />}
      size="lg"
      variant="default"
      aria-haspopup="menu"
      onPointerEnter={warm}
      onFocus={warm}
      onClick={() => setWanted(true)}
    />
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <MemberMenu member={member} target={button} />
    </Suspense>
  )
}
