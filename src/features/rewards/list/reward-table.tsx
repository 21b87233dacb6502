import { useState } from "react"
import type { Reward } from "../../../../contract/program/reward.ts"
import { ListTableView } from "../../../lists/list-table.tsx"
import { useListLayout, useListTable } from "../../../lists/list-columns.ts"
import { rewardName } from "../show/reward-words.ts"
import { rewardColumns } from "./reward-columns.tsx"
import { RewardsEmpty } from "./rewards-empty.tsx"
import type { RewardList } from "./use-reward-list.ts"

const idOf = (reward: Reward) => reward.id
const noChoice = {}

/** The catalogue as a table. Its columns sort when every match is on the page: the service does not sort. */
export function RewardTable({ list }: { list: RewardList }) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const layout = useListLayout()
  const table = useListTable({
    columns: rewardColumns,
    rows: list.rows,
    idOf,
    layout,
    choice: noChoice,
    sorting: list.complete ? { sort: list.search.sort, onSort: (sort) => list.set({ sort }) } : undefined,
  })
  return (
    <ListTableView
      table={table}
      label="Rewards"
      layout={layout}
      nameOf={rewardName}
      waiting={list.waiting}
      scroller={scroller}
      onScroller={setScroller}
      raised={false}
      empty={list.page.data === undefined ? undefined : <RewardsEmpty list={list} />}
    />
  )
}
