import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { explain } from "../lib/errors.ts"
import { signOut } from "../api/session.ts"

/** Signing out: under way, or why it did not happen, in a sentence. */
export function useLeave() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)

  const leave = async () => {
    setBusy(true)
    setFailed(null)
    try {
      await signOut(queryClient)
      await navigate({ to: "/sign-in", search: {} })
    } catch (error) {
      const { title, next } = explain(error)
      setFailed([`${title}.`, next].filter(Boolean).join(" "))
      setBusy(false)
    }
  }
  return { busy, failed, leave: () => void leave() }
}
