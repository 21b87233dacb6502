import type { MemberRecord, RewardRecord } from "../../../sandbox/store/records.ts"
import { openPage, setAna } from "../open-page.tsx"

/** A digital reward: 5,000 points, unlimited stock. */
export function reward(id: string, change: Partial<RewardRecord> = {}): RewardRecord {
  return {
    id,
    name: `Reward ${id}`,
    description: "",
    points_cost: 5000,
    category: "Gift cards",
    type: "digital",
    status: "active",
    image_url: "https://pictures.test/one.png",
    stock: null,
    ...change,
  }
}

/** Drill kit: physical, 9,500 points, 7 in stock. */
export const drill = reward("rew_drill", {
  name: "Drill kit",
  category: "Tools",
  type: "physical",
  points_cost: 9500,
  stock: 7,
})

type Opening = NonNullable<Parameters<typeof openPage>[1]> & {
  readonly rewards?: readonly RewardRecord[]
  /** Changes of Ana, who redeems. */
  readonly member?: Partial<MemberRecord>
}

/** A page on a sandbox with these rewards only. */
export async function openRewards(address: string, opening: Opening = {}) {
  const { rewards = [drill, reward("rew_card")], member = {}, prepare } = opening
  const opened = await openPage(address, {
    ...opening,
    prepare: (sandbox) => {
      sandbox.store.rewards.clear()
      for (const each of rewards) sandbox.store.rewards.set(each.id, each)
      setAna(member)(sandbox)
      prepare?.(sandbox)
    },
  })
  return { ...opened, sent: () => opened.writes.filter(({ line }) => line === "POST /api/jobs") }
}
