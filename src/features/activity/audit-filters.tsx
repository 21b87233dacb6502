import { lazy } from "react"
import { auditOutcomes, type AuditEntry } from "../../../contract/audit.ts"
import { limits } from "../../../contract/limits.ts"
import { useSession } from "../../api/session.ts"
import { rangeWords } from "../../lib/days.ts"
import { ChoiceFilter, PanelFilter } from "../../lists/filters.tsx"
import { actionNames, knownAction } from "./audit-filter.ts"
import { auditKinds, type AuditFilterChange, type AuditSearch } from "./audit-search.ts"
import { OutcomeWord } from "./outcome-words.tsx"
import { usePeople } from "./use-people.ts"

const DaysChoice = lazy(async () => ({ default: (await import("../../lists/filter-panels.tsx")).DaysChoice }))
const TextChoice = lazy(async () => ({ default: (await import("../../lists/filter-panels.tsx")).TextChoice }))

const outcomes = auditOutcomes.map((value) => ({ value, label: <OutcomeWord outcome={value} /> }))
const kinds = (["member", "job", "user", "settings"] as const).map((value) => ({
  value,
  label: auditKinds[value],
}))

interface AuditFiltersProps {
  search: AuditSearch
  entries: readonly AuditEntry[]
  onChange: (change: AuditFilterChange) => void
}

/** What narrows the audit log: days, person, action, outcome, kind and record. */
export function AuditFilters({ search, entries, onChange }: AuditFiltersProps) {
  const session = useSession()
  const people = usePeople(
    entries.map(({ actor }) => actor),
    search.actor,
  )
  const onlyOwn = session.permissions["audit.read"] === "own"
  return (
    <>
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
      {!onlyOwn && (
        <ChoiceFilter
          label="Person"
          value={search.actor}
          choices={people}
          onChange={(actor) => onChange({ actor })}
        />
      )}
      <ChoiceFilter
        label="Action"
        value={knownAction(search.action)}
        choices={actionNames}
        onChange={(action) => onChange({ action })}
      />
      <ChoiceFilter
        label="Outcome"
        value={search.outcome}
        choices={outcomes}
        onChange={(outcome) => onChange({ outcome })}
      />
      <ChoiceFilter
        label="Kind"
        value={search.kind}
        choices={kinds}
        onChange={(kind) => onChange({ kind })}
      />
      <PanelFilter label="Record" value={search.id} onRemove={() => onChange({ id: undefined })}>
        {(close) => (
          <TextChoice
            label="Record id"
            value={search.id ?? ""}
            seen={[]}
            help="The full id, as shown on the record’s page."
            maxLength={limits.shortText}
            onChoose={(id) => {
              onChange({ id: id === "" ? undefined : id })
              close()
            }}
          />
        )}
      </PanelFilter>
    </>
  )
}
