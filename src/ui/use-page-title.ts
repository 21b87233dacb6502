import { useEffect } from "react"

/** Names the window after the page: "Members · Laurel". */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Laurel`
  }, [title])
}
