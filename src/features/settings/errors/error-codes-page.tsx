import { CloseButton, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { atlas } from "../../../../contract/error-catalogue.ts"
import { apis } from "../../../../contract/status.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import { SectionHead } from "../section-head.tsx"
import { serviceNames } from "../status/service-names.ts"
import { ErrorEntry } from "./error-entry.tsx"
import classes from "./error-codes-page.module.css"
import { matches } from "./matches.ts"

const route = getRouteApi("/_desk/settings/errors")

/** Every error both services document: what happened, whose job it is, the next step. */
export function ErrorCodesPage() {
  const { find: linked = "" } = route.useSearch()
  const navigate = route.useNavigate()
  // The address follows the typing; it would swallow letters if the field waited for it.
  const [find, setFind] = useState(linked)
  const filter = (words: string) => {
    setFind(words)
    void navigate({ search: { find: words || undefined }, replace: true })
  }
  const found = atlas.filter((entry) => matches(entry, find))
  return (
    <>
      <TextInput
        type="search"
        aria-label="Filter the error codes"
        placeholder="Code, status or text"
        className={classes.find}
        leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
        rightSection={
          find !== "" && <CloseButton size="sm" aria-label="Clear the filter" onClick={() => filter("")} />
        }
        value={find}
        onChange={({ currentTarget }) => filter(currentTarget.value)}
      />
      {found.length === 0 && (
        <EmptyState
          icon={IconSearch}
          title={`No error codes match “${find}”`}
          help="The filter covers codes, statuses and explanations."
        />
      )}
      {apis.map((api) => {
        const own = found.filter((entry) => entry.api === api)
        if (own.length === 0) return null
        return (
          <section key={api}>
            <SectionHead
              title={serviceNames[api]}
              end={`${own.length} ${own.length === 1 ? "code" : "codes"}`}
            />
            <ul className={classes.list}>
              {own.map((entry) => (
                <ErrorEntry key={`${entry.status} ${entry.code}`} entry={entry} />
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}
