import { Button } from "@mantine/core"
import { IconGift } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useCan } from "../../../api/session.ts"
import { RequirePermission } from "../../../ui/require-permission.tsx"

interface RedeemButtonProps {
  words: string
  /** Above the catalogue as it stands, or above a reward's page. */
  from: "/rewards" | { readonly rewardId: string }
}

/** Opens the drawer that redeems for a member. */
export function RedeemButton({ words, from }: RedeemButtonProps) {
  const allowed = useCan("rewards.redeem")
  const look = {
    variant: "filled",
    leftSection: <IconGift size={16} stroke={2} aria-hidden />,
    children: words,
  } as const
  if (!allowed) {
    return (
      <RequirePermission permission="rewards.redeem">
        <Button {...look} />
      </RequirePermission>
    )
  }
  return (
    <Button
      {...look}
      renderRoot={(props) =>
        from === "/rewards" ? (
          <Link to="/rewards/redeem" search={(now) => now} resetScroll={false} {...props} />
        ) : (
          <Link
            to="/rewards/$rewardId/redeem"
            params={{ rewardId: from.rewardId }}
            resetScroll={false}
            {...props}
          />
        )
      }
    />
  )
}
