import { Box, Group, Stack } from "@mantine/core"
import { CellLink } from "../../ui/record-link.tsx"
import { rawValue } from "../../../contract/reading.ts"
import type { Reward } from "../../../contract/program/reward.ts"
import { useCan } from "../../api/session.ts"
import { layoutOf, type ListColumn } from "../../lists/list-columns.ts"
import links from "../../lists/list-table.module.css"
import { Status } from "../../ui/status.tsx"
import { Points } from "../../ui/values.tsx"
import { isInactive, rewardAbout, rewardName, RewardPicture, Stock } from "./reward-view.tsx"
import { LinkButton } from "../../ui/button.tsx"
import classes from "./rewards.module.css"

/** The columns of the catalogue as a table. */
export const rewardColumns: readonly ListColumn<Reward>[] = [
  {
    id: "name",
    header: "Reward",
    accessorFn: rewardName,
    cell: ({ row: { original: reward }, table }) => (
      <Group component="span" gap={12} wrap="nowrap">
        <RewardPicture src={reward.image_url} size="small" />
        <Stack component="span" gap={0} miw={0}>
          <CellLink
            to="/rewards/$rewardId"
            params={{ rewardId: reward.id }}
            data-row-link
            className={`${links.link} truncate`}
          >
            {rewardName(reward)}
          </CellLink>
          {layoutOf(table) !== "wide" && <span className="caption truncate">{rewardAbout(reward)}</span>}
        </Stack>
      </Group>
    ),
    meta: { minLayout: "phone" },
  },
  {
    id: "category",
    header: "Category",
    size: 168,
    accessorFn: ({ category }) => category ?? undefined,
    meta: { className: "text-secondary" },
  },
  {
    id: "type",
    header: "Type",
    size: 112,
    accessorFn: ({ type }) => type ?? undefined,
    cell: ({ row }) => <Status of="reward-type" value={row.original.type} />,
  },
  {
    id: "status",
    header: "Status",
    size: 112,
    accessorFn: ({ status }) => status ?? undefined,
    cell: ({ row }) => <Status of="reward" value={row.original.status} />,
    meta: { minLayout: "tablet" },
  },
  {
    id: "stock",
    header: "Stock",
    size: 144,
    // Unlimited sorts above any number.
    accessorFn: ({ stock }) => (stock === null ? Number.MAX_SAFE_INTEGER : stock),
    cell: ({ row: { original } }) => <Stock stock={original.stock} sent={rawValue(original, "stock")} />,
    meta: { minLayout: "tablet" },
  },
  {
    id: "cost",
    header: "Points",
    size: 112,
    accessorFn: ({ points_cost }) => points_cost ?? undefined,
    cell: ({ row: { original } }) => (
      <Points value={original.points_cost} sent={rawValue(original, "points_cost")} />
    ),
    meta: { touchWidth: 80, align: "end", minLayout: "phone" },
  },
]

/** The catalogue as cards; the entire card is a link. Placeholders have the same size as the cards. */
export function RewardCards(props: { rewards: readonly Reward[]; waiting: "no" | "yes" | "late" }) {
  const { rewards, waiting } = props
  const mayRedeem = useCan("rewards.redeem")
  if (waiting === "late") {
    return (
      <output className={classes.cards}>
        <span className="visually-hidden">Loading…</span>
        {Array.from({ length: 8 }, (_, at) => (
          <span key={at} className={`${classes.tile} card`} aria-hidden>
            <Box component="span" className={classes.picture} mb={10} />
            <Box component="span" className="skeleton" display="block" w="60%" h={12} mx={14} mb={10} />
            <Box component="span" className="skeleton" display="block" w="32%" h={12} mx={14} mb={14} />
          </span>
        ))}
      </output>
    )
  }
  if (rewards.length === 0) return null
  return (
    <ul className={classes.cards} aria-label="Rewards" aria-busy={waiting !== "no"}>
      {rewards.map((reward) => (
        <li key={reward.id} className={`${classes.tile} card`} data-out={isOut(reward) || undefined}>
          <RewardPicture src={reward.image_url} size="card" />
          <Stack gap={0} p="10px 14px 12px" className="line-above">
            <CellLink
              to="/rewards/$rewardId"
              params={{ rewardId: reward.id }}
              className={`${classes.name} l-medium truncate`}
              title={rewardName(reward)}
            >
              {rewardName(reward)}
            </CellLink>
            <Box component="span" mih="var(--l-lh-meta)" className="caption truncate">
              {rewardAbout(reward)}
            </Box>
            <Group component="span" justify="space-between" wrap="nowrap" gap={8} mt={6}>
              <span>
                <Box component="span" fz="var(--l-fs-section)">
                  <Points value={reward.points_cost} />
                </Box>{" "}
                {typeof reward.points_cost === "number" && <span className="caption">points</span>}
              </span>
              <span className="l-meta">
                {isInactive(reward) ? (
                  <Status of="reward" value={reward.status} />
                ) : (
                  <Stock stock={reward.stock} sent={rawValue(reward, "stock")} />
                )}
              </span>
            </Group>
          </Stack>
          {mayRedeem && (
            <LinkButton
              size="xs"
              to="."
              search={(now) => ({ ...now, act: "redeem", reward_id: reward.id })}
              resetScroll={false}
              className={classes.redeem}
              aria-label={`Redeem ${rewardName(reward)}`}
            >
              Redeem
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  )
}

function isOut(reward: Reward): boolean {
  return isInactive(reward) || (typeof reward.stock === "number" && reward.stock <= 0)
}
