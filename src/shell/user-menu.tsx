import { lazy, Suspense, useState } from "react"
import { UserMenuTarget } from "./user-menu-target.tsx"

const OpenUserMenu = lazy(async () => ({ default: (await import("./open-user-menu.tsx")).OpenUserMenu }))

/** Who is signed in, how the desk looks for them, and the way out. The menu itself is fetched when it is opened. */
export function UserMenu({ look }: { look: "nav" | "bar" }) {
  const [wanted, setWanted] = useState(false)
  const target = <UserMenuTarget look={look} aria-haspopup="menu" onClick={() => setWanted(true)} />
  if (!wanted) return target
  return (
    <Suspense fallback={target}>
      <OpenUserMenu look={look} />
    </Suspense>
  )
}
