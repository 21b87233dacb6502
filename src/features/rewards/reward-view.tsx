import { Group } from "@mantine/core"
import { IconAlertTriangle, IconGift, IconInfinity, IconPackageOff, IconPackages } from "@tabler/icons-react"
import { useState } from "react"
import type { Reward } from "../../../contract/program/reward.ts"
import { formatCount } from "../../lib/format.ts"
import { lowStock } from "../../lib/external-value.ts"
import { statusText } from "../../ui/status.tsx"
import { AsSent } from "../../ui/values.tsx"
import classes from "./rewards.module.css"

/** What a reward is called; its id when it has no name. */
export function rewardName({ name, id }: Pick<Reward, "name" | "id">): string {
  return name?.trim() || id
}

/** "Tools, physical", as far as it is known. */
export function rewardAbout({ category, type }: Pick<Reward, "category" | "type">): string {
  return [category, type ? statusText("reward-type", type).word.toLowerCase() : undefined]
    .filter(Boolean)
    .join(", ")
}

/** Whether the service says that a reward or a member is not active; case does not matter. */
export function isInactive({ status }: { readonly status?: string | null | undefined }): boolean {
  return status?.toLowerCase() === "inactive"
}

/** A reward's stock in words, null is unlimited (docs/api/program.md, Reward); undefined when the service did not say it. */
export function stockLevel(stock: number | null | undefined) {
  if (stock === undefined) return undefined
  if (stock === null) return { Icon: IconInfinity, level: "unlimited", word: "Unlimited" } as const
  if (stock <= 0) return { Icon: IconPackageOff, level: "none", word: "Out of stock" } as const
  return stock <= lowStock.get()
    ? ({ Icon: IconAlertTriangle, level: "low", word: `${formatCount(stock)} left` } as const)
    : ({ Icon: IconPackages, level: "enough", word: `${formatCount(stock)} in stock` } as const)
}

const stockTones = {
  unlimited: { c: "var(--l-text-2)" },
  enough: { c: "var(--l-text-2)" },
  low: { "data-tone": "warning", c: "var(--l-warning)" },
  none: { "data-tone": "danger", c: "var(--l-text)" },
} as const

/** How many pieces of a reward are left: an icon and a word. Nothing is drawn when the service did not say it. */
export function Stock({ stock, sent }: { stock: number | null | undefined; sent?: unknown }) {
  const shown = stockLevel(stock)
  if (shown === undefined) return <AsSent sent={sent} />
  const { Icon, level, word } = shown
  return (
    <Group
      component="span"
      display="inline-flex"
      gap={6}
      wrap="nowrap"
      className="l-num nowrap"
      style={{ verticalAlign: "middle" }}
      {...stockTones[level]}
    >
      <Icon size={15} stroke={2} aria-hidden className="tone-mark" />
      {word}
    </Group>
  )
}

/**
 * A reward's picture in a place of fixed size, so that nothing moves when it comes or does not. Without one, and where
 * it cannot be loaded, an icon stands there. The name stands beside it, so it is decoration.
 */
export function RewardPicture(props: { src: string | null | undefined; size: "small" | "card" | "large" }) {
  const { src, size } = props
  const [broken, setBroken] = useState<string>()
  // The content security policy lets pictures come by https or inside the address, and from nowhere else.
  const shown = src && /^(https:\/\/|data:image\/)/i.test(src) && src !== broken
  return (
    <span className={classes.picture} data-size={size} aria-hidden>
      {shown ? (
        <img
          src={src}
          alt=""
          style={{ objectFit: size === "small" ? "cover" : "contain" }}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(src)}
        />
      ) : (
        <IconGift size={size === "small" ? 20 : 36} stroke={1.25} className="text-muted" />
      )}
    </span>
  )
}

/** What the link to the redeem drawer looks like. */
export const redeemButton = {
  variant: "filled",
  leftSection: <IconGift size={16} stroke={2} aria-hidden />,
  children: "Redeem for a member",
} as const
