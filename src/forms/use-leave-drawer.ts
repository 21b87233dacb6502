import { useCanGoBack, useRouter } from "@tanstack/react-router"

/**
 * Leaves a drawer for the page it was opened from, whichever that was. Opened by its link there is none: then to the
 * page behind it.
 */
export function useLeaveDrawer(toPageBehind: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else toPageBehind()
  }
}
