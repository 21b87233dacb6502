import { Button } from "@mantine/core"
import { IconStack2 } from "@tabler/icons-react"
import { limits } from "../../../../contract/limits.ts"
import { requestsFor } from "../../../api/paging.ts"
import { cost, formatCount } from "../../../lib/format.ts"
import { Popover } from "../../../ui/popover.tsx"
import classes from "./load-all.module.css"
import type { LoadAll } from "./use-load-all.ts"

interface LoadAllOfferProps {
  /** Members that match. */
  total: number
  loading: LoadAll
}

/** More requests than this are never spent on one list. */
const mostRequests = 200
/** From here on it is worth a word about the others at the desk. */
const noteworthy = 10

/** Offers to load every match with what it costs, shows how far it is, or says why it does not. */
export function LoadAllOffer({ total, loading }: LoadAllOfferProps) {
  const requests = requestsFor(total, limits.perPage.max)
  if (loading.progress !== null) return <LoadAllProgress loading={loading} />
  if (requests > mostRequests) {
    return (
      <span className="l-meta text-muted">
        {formatCount(total)} are too many to load at once. Search or filter to load and sort them.
      </span>
    )
  }
  const inside = (
    <>
      Load all {formatCount(total)}
      <span className={classes.cost}>{cost(requests)}</span>
    </>
  )
  const icon = <IconStack2 size={16} stroke={1.75} aria-hidden />
  if (requests < noteworthy) {
    return (
      <Button variant="subtle" leftSection={icon} onClick={loading.start}>
        {inside}
      </Button>
    )
  }
  return (
    <Popover
      label="Load all"
      align="end"
      renderButton={(button) => (
        <Button variant="subtle" leftSection={icon} {...button}>
          {inside}
        </Button>
      )}
    >
      {(close) => (
        <div className={classes.ask}>
          <p>
            {cost(requests)}, shared by the whole team. Others may wait a moment for theirs. You can cancel at
            any time.
          </p>
          <Button
            onClick={() => {
              close()
              loading.start()
            }}
          >
            Load all {formatCount(total)}
          </Button>
        </div>
      )}
    </Popover>
  )
}

function LoadAllProgress({ loading }: { loading: LoadAll }) {
  const { done = 0, of = null, restarts = 0 } = loading.progress ?? {}
  return (
    <span className={classes.progress}>
      <progress aria-label="Loading all matches…" {...(of === null ? {} : { value: done, max: of })} />
      <output className="l-num text-secondary">
        {of === null ? "Loading…" : `${formatCount(done)} of ${formatCount(of)} requests`}
        {restarts > 0 && ", restarted because the list changed"}
      </output>
      <Button variant="subtle" onClick={loading.cancel}>
        Cancel
      </Button>
    </span>
  )
}
