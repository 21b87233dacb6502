import { useNavigate } from "@tanstack/react-router"
import type { CreateJobBody } from "../../../contract/desk/job.ts"
import type { ImportSession } from "../../import/session/import-session.ts"
import { jobAddress } from "../outcome/job-link.tsx"
import { useHandOver } from "./use-hand-over.ts"

interface StartImport {
  readonly kind: CreateJobBody["kind"]
  readonly options: NonNullable<CreateJobBody["options"]>
  /** Rows from an offset on, at most `limit` of them; without it those of the sheet. */
  readonly read?: (offset: number, limit: number) => Promise<readonly unknown[]>
}

/** Makes a job of what stands in an import, forgets the draft, and goes to the job's page. */
export function useStartImport(session: ImportSession) {
  const navigate = useNavigate()
  const over = useHandOver()
  const start = async ({ kind, options, read }: StartImport): Promise<void> => {
    const { state } = session
    const file =
      state.fingerprint === null
        ? {}
        : { file: { name: state.name.slice(0, 200), fingerprint: state.fingerprint } }
    try {
      const job = await over.start({
        kind,
        options: { ...options, ...file },
        key: state.key,
        total: state.included,
        read: read ?? (async (offset, limit) => (await session.accepted(offset, limit)).rows),
      })
      await session.clear()
      await navigate({ to: jobAddress(job.id) })
    } catch {
      // The mutation keeps the error, and the page shows it.
    }
  }
  return { ...over, start }
}
