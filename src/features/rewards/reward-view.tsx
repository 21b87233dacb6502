import { Group } from "@mantine/core"
import { IconAlertTriangle, IconGift, IconInfinity, IconPackageOff, IconPackages } from "@tabler/icons-react"
import { useState } from "react"
import type { Reward } from "../../../contract/program/reward.ts"
import { formatCount } from "../../lib/format.ts"
import { useLowStock } from "../../api/session.ts"
import { statusText } from "../../ui/status.tsx"
import { AsSent } from "../../ui/values.tsx"
import classes from "./rewards.module.css"

/** The reward's name, or its id without one. */
export function rewardName({ name, id }: Pick<Reward, "name" | "id">): string {
  return name?.trim() || id
}

/** "Tools, physical", as far as known. */
export function rewardAbout({ category, type }: Pick<Reward, "category" | "type">): string {
  return [category, type ? statusText("reward-type", type).word.toLowerCase() : undefined]
    .filter(Boolean)
    .join(", ")
}

/** Whether a reward or a member has an inactive status, case-insensitively. */
export function isInactive({ status }: { readonly status?: string | null | undefined }): boolean {
  return status?.toLowerCase() === "inactive"
}

/**
 * Label of a reward's stock, null is unlimited (docs/api/program.md, Reward); undefined when the service sent none.
 */
export function stockLevel(stock: number | null | undefined) {
  if (stock === undefined) return undefined
  if (stock === null) return { Icon: IconInfinity, level: "unlimited", word: "Unlimited" } as const
  if (stock <= 0) return { Icon: IconPackageOff, level: "none", word: "Out of stock" } as const
  return stock <= useLowStock.getState().level
    ? ({ Icon: IconAlertTriangle, level: "low", word: `${formatCount(stock)} left` } as const)
    : ({ Icon: IconPackages, level: "enough", word: `${formatCount(stock)} in stock` } as const)
}

const stockTones = {
  unlimited: { c: "var(--l-text-2)" },
  enough: { c: "var(--l-text-2)" },
  low: { "data-tone": "warning", c: "var(--l-warning)" },
  none: { "data-tone": "danger", c: "var(--l-text)" },
} as const

/** A reward's stock as icon and text; nothing when the service sent none. */
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
 * A reward's picture at a fixed size, so that the layout does not shift. An icon replaces a missing or broken one.
 * Decorative, since the name is next to it.
 */
export function RewardPicture(props: { src: string | null | undefined; size: "small" | "card" | "large" }) {
  const { src, size } = props
  const [broken, setBroken] = useState<string>()
  // The content security policy allows pictures only by https or data URL.
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

/** Style of the link to the redeem drawer. */
export const redeemButton = {
  variant: "filled",
  leftSection: <IconGift size={16} stroke={2} aria-hidden />,
  children: "Redeem for a member",
} as const
