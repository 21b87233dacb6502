import type { Reward } from "../../../../contract/program/reward.ts"
import { statusWord } from "../../../ui/status.tsx"

/** What a reward is called; its id when it has no name. */
export function rewardName({ name, id }: Pick<Reward, "name" | "id">): string {
  return name?.trim() || id
}

/** "Tools, physical", as far as it is known. */
export function rewardAbout({ category, type }: Pick<Reward, "category" | "type">): string {
  return [category, type ? statusWord("reward-type", type).word.toLowerCase() : undefined]
    .filter(Boolean)
    .join(", ")
}

/** Whether the service says that a reward is not offered; case does not matter. */
export function isInactive({ status }: { readonly status?: string | null | undefined }): boolean {
  return status?.toLowerCase() === "inactive"
}
