import { useRouter } from "@tanstack/react-router"
import { useEffect } from "react"

/** How long a row is under the pointer or has the focus before it looks as if it will be opened, in ms. */
const intent = 100

/**
 * Fetches the code of the member page once somebody rests on a row. Only the code: the member itself came with the
 * list, and balance and ledger would each cost a request of the shared budget for a page that may never open.
 */
export function useWarmMemberPage(rows: HTMLElement | null): void {
  const router = useRouter()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => clearTimeout(timer)
    const start = ({ target }: Event) => {
      stop()
      if (!(target instanceof Element) || target.closest("[data-row]") === null) return
      timer = setTimeout(() => {
        const { routesById } = router
        void router.loadRouteChunk(routesById["/_desk/members_/$memberId"])
        void router.loadRouteChunk(routesById["/_desk/members_/$memberId/"])
      }, intent)
    }
    rows?.addEventListener("pointerover", start)
    rows?.addEventListener("focusin", start)
    rows?.addEventListener("pointerleave", stop)
    return () => {
      stop()
      rows?.removeEventListener("pointerover", start)
      rows?.removeEventListener("focusin", start)
      rows?.removeEventListener("pointerleave", stop)
    }
  }, [router, rows])
}
