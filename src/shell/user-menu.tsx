import { lazy, Suspense, useState } from "react"
import type { NavItem } from "./navigation.ts"
import { UserMenuTarget } from "./user-menu-target.tsx"

const OpenUserMenu = lazy(async () => ({ default: (await import("./open-user-menu.tsx")).OpenUserMenu }))

interface UserMenuProps {
  look: "nav" | "bar"
  /** Pages that have no place in the navigation beside it. */
  pages?: readonly NavItem[]
}

/** Who is signed in, how the desk looks for them, and the way out. The menu itself is fetched when it is opened. */
export function UserMenu({ look, pages }: UserMenuProps) {
  const [wanted, setWanted] = useState(false)
  const target = <UserMenuTarget look={look} aria-haspopup="menu" onClick={() => setWanted(true)} />
  if (!wanted) return target
  return (
    <Suspense fallback={target}>
      <OpenUserMenu look={look} pages={pages} />
    </Suspense>
  )
}
