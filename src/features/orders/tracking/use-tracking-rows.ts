import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { limits } from "../../../../contract/limits.ts"
import type { ImportSession } from "../../../import/session/import-session.ts"
import { trackingRows, type TrackingRow } from "./tracking-row.ts"

const none: readonly TrackingRow[] = []

/** The rows that would be sent, and whether they are those of the sheet as it stands. */
export function useTrackingRows({ state, accepted }: ImportSession) {
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["tracking-rows", state.key, state.revision],
    queryFn: async () => trackingRows(await accepted(0, limits.jobRows)),
    enabled: state.phase === "ready" && !state.busy,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const settled = data !== undefined && !isPlaceholderData && !state.busy
  return { rows: state.phase === "ready" ? (data ?? none) : none, settled }
}
