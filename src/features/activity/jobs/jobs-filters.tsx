import { lazy } from "react"
import type { Job } from "../../../../contract/job.ts"
import { useSession } from "../../../api/session.ts"
import { rangeWords } from "../../../lib/days.ts"
import { ChoiceFilter, PanelFilter } from "../../../lists/filters.tsx"
import { usePeople } from "../use-people.ts"
import { kindNames } from "./job-words.ts"
import type { JobsFilterChange, JobsSearch } from "./jobs-search.ts"

const DaysChoice = lazy(async () => ({
  default: (await import("../../../lists/filter-panels.tsx")).DaysChoice,
}))

const kinds = (["award", "deduct", "member-create", "redeem", "order-update", "giftcard"] as const).map(
  (value) => ({
    value,
    label: kindNames[value],
  }),
)

const states = [
  { value: "active", label: "In progress" },
  { value: "attention", label: "Needs attention" },
  { value: "draft", label: "Draft" },
  { value: "running", label: "Running" },
  { value: "paused", label: "Paused" },
  { value: "cancelling", label: "Cancelling" },
  { value: "cancelled", label: "Cancelled" },
  { value: "done", label: "Done" },
] as const

interface JobsFiltersProps {
  search: JobsSearch
  jobs: readonly Job[]
  onChange: (change: JobsFilterChange) => void
}

/** What narrows the list of jobs: state, kind, person and days. */
export function JobsFilters({ search, jobs, onChange }: JobsFiltersProps) {
  const session = useSession()
  const people = usePeople(
    jobs.map((job) => job.created_by),
    search.person,
  )
  const onlyOwn = session.permissions["jobs.read"] === "own-orders"
  return (
    <>
      <ChoiceFilter
        label="State"
        value={search.state}
        choices={states}
        onChange={(state) => onChange({ state })}
      />
      <ChoiceFilter
        label="Kind"
        value={search.kind}
        choices={kinds}
        onChange={(kind) => onChange({ kind })}
      />
      {!onlyOwn && (
        <ChoiceFilter
          label="Person"
          value={search.person}
          choices={people}
          onChange={(person) => onChange({ person })}
        />
      )}
      <PanelFilter
        label="Days"
        value={rangeWords(search)}
        onRemove={() => onChange({ from: undefined, to: undefined })}
      >
        {(close) => (
          <DaysChoice
            value={search}
            help={`Days in ${session.program.time_zone} time.`}
            onChoose={({ from, to }) => {
              onChange({ from, to })
              close()
            }}
          />
        )}
      </PanelFilter>
    </>
  )
}
