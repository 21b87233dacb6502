import { useEffect } from "react"

/** Keeps the screen from going to sleep while the page is looked at, where the browser and its battery allow it. */
export function useAwake(): void {
  useEffect(() => {
    // Absent outside a secure page, whatever the types say.
    const locks: WakeLock | undefined = navigator.wakeLock
    if (locks === undefined) return undefined
    let held: WakeLockSentinel | undefined
    let left = false
    const hold = async () => {
      if (document.visibilityState !== "visible") return
      try {
        held = await locks.request("screen")
        if (left) await held.release()
      } catch {
        // Refused: the screen then sleeps as its owner set it.
      }
    }
    const onChange = () => void hold()
    void hold()
    document.addEventListener("visibilitychange", onChange)
    return () => {
      left = true
      document.removeEventListener("visibilitychange", onChange)
      void held?.release()
    }
  }, [])
}
