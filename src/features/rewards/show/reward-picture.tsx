import { IconGift } from "@tabler/icons-react"
import { useState } from "react"
import classes from "./reward-picture.module.css"

interface RewardPictureProps {
  /** As the service has it; it may lead nowhere. */
  src: string | null | undefined
  /** 40 px in rows and boxes, as wide as its card, or large on the reward's page. */
  size: "small" | "card" | "large"
}

/**
 * A reward's picture in a place of fixed size, so that nothing moves when it comes or does not. Without one, and where
 * it cannot be loaded, a quiet sign stands there. The name stands beside it, so it is decoration.
 */
export function RewardPicture({ src, size }: RewardPictureProps) {
  const [broken, setBroken] = useState<string>()
  const shown = src !== null && src !== undefined && isPicture(src) && src !== broken
  return (
    <span className={classes.place} data-size={size} aria-hidden>
      {shown ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          className={classes.picture}
          onError={() => setBroken(src)}
        />
      ) : (
        <IconGift size={size === "small" ? 20 : 36} stroke={1.25} className={classes.none} />
      )}
    </span>
  )
}

/** The page's own rules let pictures come by https or inside the address, and from nowhere else. */
function isPicture(src: string): boolean {
  return /^(https:\/\/|data:image\/)/i.test(src)
}
