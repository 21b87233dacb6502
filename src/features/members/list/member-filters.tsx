import { lazy } from "react"
import { limits } from "../../../../contract/limits.ts"
import { memberStatuses } from "../../../../contract/program/member.ts"
import { ChoiceFilter, PanelFilter, SearchField } from "../../../lists/filters.tsx"
import { Status } from "../../../ui/status.tsx"
import type { MemberList } from "./use-member-list.ts"

const TextChoice = lazy(async () => ({
  default: (await import("../../../lists/filter-panels.tsx")).TextChoice,
}))

const statuses = memberStatuses.map((value) => ({ value, label: <Status of="member" value={value} /> }))

interface MemberFiltersProps {
  list: MemberList
  /** Tiers seen so far. */
  tiers: readonly string[]
}

/** Search, status and tier. Who may not search sees why instead. */
export function MemberFilters({ list, tiers }: MemberFiltersProps) {
  const { search, setFilter } = list
  if (!list.maySearch) {
    return (
      <p className="text-muted">
        Your role sees names and ids only, so there is nothing to search or filter by.
      </p>
    )
  }
  return (
    <>
      <SearchField
        label="Name or e-mail"
        value={search.search ?? ""}
        maxLength={limits.shortText}
        onSearch={(text) => setFilter({ search: text === "" ? undefined : text }, true)}
      />
      <ChoiceFilter
        label="Status"
        value={search.status}
        choices={statuses}
        onChange={(status) => setFilter({ status })}
      />
      <PanelFilter label="Tier" value={search.tier} onRemove={() => setFilter({ tier: undefined })}>
        {(close) => (
          <TextChoice
            label="Tier"
            value={search.tier ?? ""}
            seen={tiers.map((tier) => ({ value: tier, label: tier }))}
            help="The service doesn’t list tiers. These were seen on loaded members; you can type any other."
            maxLength={limits.shortText}
            onChoose={(tier) => {
              setFilter({ tier: tier === "" ? undefined : tier })
              close()
            }}
          />
        )}
      </PanelFilter>
    </>
  )
}
