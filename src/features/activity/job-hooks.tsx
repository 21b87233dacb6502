import type { Icon } from "@tabler/icons-react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type ReactNode, useMemo } from "react"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { jobRowsQuery, useJobAccess } from "../../api/jobs.ts"
import { memberNamesQuery } from "../../api/members.ts"
import { Allowed } from "../../lists/require-permission.tsx"
import type { JobSearch } from "./activity-search.ts"
import { Button, buttonIcon, type ButtonProps } from "../../ui/button.tsx"

const route = getRouteApi("/_app/jobs_/$jobId")

const nothingOpen = { row: undefined, open: undefined }

/** Opens a row or a view of a job's page through the URL, or closes it, without scrolling. */
export function useShow() {
  const navigate = route.useNavigate()
  return (shown: Partial<Pick<JobSearch, "row" | "open" | "state">> = {}) =>
    void navigate({ search: (now) => ({ ...now, ...nothingOpen, ...shown }), resetScroll: false })
}

/** A button for a job action; disabled with the required role when the user lacks the capability. */
export function JobButton(
  props: ButtonProps & {
    job: Job
    needs: "control" | "write"
    icon?: Icon
    onClick: () => void
    children: ReactNode
  },
) {
  const { job, needs, icon: Icon, ...button } = props
  const access = useJobAccess(job)
  return (
    <Allowed allowed={access[needs]} why={access.why}>
      <Button leftSection={Icon && <Icon {...buttonIcon} />} {...button} />
    </Allowed>
  )
}

/** The rows with member names, where a file had ids alone. */
export function useNamedRows(rows: readonly JobRow[]): readonly JobRow[] {
  const unnamed = rows.flatMap(({ member }) => (member?.label === null ? (member.id ?? []) : []))
  const names = useQuery(memberNamesQuery(unnamed)).data?.names
  return useMemo(
    () =>
      rows.map((row) => {
        const { member } = row
        const label = member?.label ?? names?.get(member?.id ?? "")
        return member === null || label === undefined ? row : { ...row, member: { ...member, label } }
      }),
    [rows, names],
  )
}

/** Opens the next row after a number that needs a decision, otherwise the first one, if any. */
export function useNextQuestion(jobId: string) {
  const queryClient = useQueryClient()
  const show = useShow()
  return useMutation({
    mutationFn: async (from: number) => {
      const query = jobRowsQuery(jobId, { state: "attention", page: 1, per_page: 100 })
      const { rows } = await queryClient.fetchQuery({ ...query, staleTime: 0 })
      const others = rows.map(({ row }) => row).filter((row) => row !== from)
      const row = others.find((other) => other > from) ?? others[0]
      // If this fails, the rows show their own error and the page stays as it is.
      if (row !== undefined) show({ row })
    },
  })
}
