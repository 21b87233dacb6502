import { pauseCodes } from "../../contract/job.ts"
import { DeskFailure } from "../errors.ts"

/** Whether the service will answer nothing at all for now: the key was refused, or it is not connected. */
export function isKeyTrouble(error: unknown): error is DeskFailure {
  if (!(error instanceof DeskFailure)) return false
  const status = error.details?.upstream_status
  return status === 401 || status === 403 || error.code === "not_connected"
}

/** Why a job pauses for it. */
export function pauseOf(error: DeskFailure): { readonly code: string; readonly message: string } {
  const code =
    error.code === "not_connected" ? pauseCodes.notConnected : (error.details?.upstream_code ?? error.code)
  return { code, message: error.message }
}
