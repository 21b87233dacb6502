import { useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { cloneElement, type ReactElement, useState } from "react"
import { jobRowsQuery } from "../../api/jobs.ts"
import { Tooltip } from "../../ui/tooltip.tsx"

interface AllowedProps {
  allowed: boolean
  /** Which role it needs: "Needs manager". */
  why: string
  children: ReactElement<{
    "data-disabled"?: boolean
    "aria-disabled"?: boolean
    "aria-describedby"?: string | undefined
    onClick?: unknown
  }>
}

/** A control that everybody sees: who may not use it on this job is told why. The server decides again. */
export function Allowed({ allowed, why, children }: AllowedProps) {
  if (allowed) return children
  return (
    <Tooltip label={why}>
      {cloneElement(children, {
        "data-disabled": true,
        "aria-disabled": true,
        onClick: (event: Event) => event.preventDefault(),
      })}
    </Tooltip>
  )
}

const route = getRouteApi("/_app/jobs_/$jobId")

/** Opens the rows that only a person can settle, one after the other. */
export function useFirstQuestion(jobId: string) {
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const [busy, setBusy] = useState(false)

  /** The next row after `from` that needs somebody, else the first one; undefined when none is left. */
  const find = async (from: number): Promise<number | undefined> => {
    const query = jobRowsQuery(jobId, { state: "attention", page: 1, per_page: 100 })
    const { rows } = await queryClient.fetchQuery({ ...query, staleTime: 0 })
    const others = rows.map(({ row }) => row).filter((row) => row !== from)
    return others.find((row) => row > from) ?? others[0]
  }

  const open = async (from: number): Promise<boolean> => {
    setBusy(true)
    try {
      const row = await find(from)
      if (row === undefined) return false
      await navigate({ search: (now) => ({ ...now, row, open: undefined }), resetScroll: false })
      return true
    } catch {
      // The list of rows shows its own error; the person stays where they are.
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, open: () => void open(0), openAfter: open }
}

/** Leads to an order's page. */
export function OrderLink({ id }: { id: string }) {
  return (
    <Link to="/orders/$orderId" params={{ orderId: id }} className="l-link l-mono">
      {id}
    </Link>
  )
}
