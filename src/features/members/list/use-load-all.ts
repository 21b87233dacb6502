import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { type MemberFilter, readEveryMember } from "../../../api/members.ts"
import type { PageProgress } from "../../../api/paging.ts"

/** Where the loading of every match stands. */
export interface LoadAll {
  /** Null while nothing is loaded. */
  readonly progress: PageProgress | null
  /** What went wrong last time. */
  readonly error: unknown
  readonly start: () => void
  readonly cancel: () => void
}

const idle = { question: "", progress: null, error: null }

/**
 * Loads every member a filter matches when somebody asks for it. Another filter, or leaving the page, ends it: it
 * spends the team's budget.
 * @param onLoaded they are in the query cache
 */
export function useLoadAll(filter: MemberFilter, onLoaded: () => void): LoadAll {
  const client = useQueryClient()
  const question = JSON.stringify(filter)
  const running = useRef<AbortController>(undefined)
  const belongs = useRef(question)
  const [state, setState] = useState<{ question: string; progress: PageProgress | null; error: unknown }>(
    idle,
  )
  const current = state.question === question ? state : idle

  useEffect(() => {
    // A reading belongs to the filter it was begun for.
    if (belongs.current !== question) running.current?.abort()
  }, [question])
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    belongs.current = question
    const { signal } = controller
    const tell = (progress: PageProgress | null, error: unknown = null) => {
      if (!signal.aborted) setState({ question, progress, error })
    }
    tell({ done: 0, of: null, restarts: 0 })
    try {
      await readEveryMember(client, filter, { signal, onProgress: tell })
      tell(null)
      if (!signal.aborted) onLoaded()
    } catch (error) {
      tell(null, error)
    }
  }
  return {
    progress: current.progress,
    error: current.error,
    start: () => void start(),
    cancel: () => {
      running.current?.abort()
      setState(idle)
    },
  }
}
