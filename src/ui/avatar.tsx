import { initials } from "../lib/initials.ts"
import classes from "./avatar.module.css"

interface AvatarProps {
  name: string
  /** 24 px in rows, 40 px beside an `h1`. */
  size?: "sm" | "md"
  /** Tinted: the person who is signed in, or the leading one. */
  accent?: boolean
}

/** A person's initials. Decoration beside the name, so it is hidden from screen readers. */
export function Avatar({ name, size = "sm", accent = false }: AvatarProps) {
  return (
    <span className={classes.avatar} data-size={size} data-accent={accent || undefined} aria-hidden>
      {initials(name)}
    </span>
  )
}
