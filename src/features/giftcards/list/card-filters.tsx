import { useQuery } from "@tanstack/react-query"
import { lazy } from "react"
import { limits } from "../../../../contract/limits.ts"
import { cardFacetsQuery } from "../../../api/gift-cards.ts"
import { useSession } from "../../../api/session.ts"
import { rangeWords } from "../../../lib/days.ts"
import { ChoiceFilter, PanelFilter, SearchField } from "../../../lists/filters.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { CardStatus, useTemplateName } from "../card-parts.tsx"
import { soonDays } from "../search.ts"
import { MoreFilters } from "./more-filters.tsx"
import type { CardList } from "./use-card-list.ts"

const DaysChoice = lazy(async () => ({
  default: (await import("../../../lists/filter-panels.tsx")).DaysChoice,
}))

const tests = [
  { value: "yes", label: "Test cards only" },
  { value: "no", label: "Live cards only" },
] as const

/** What narrows the register. */
export function CardFilters({ list }: { list: CardList }) {
  const { search, setFilter } = list
  const { program } = useSession()
  const nameOf = useTemplateName()
  const { data: facets = { templates: [], statuses: [], people: [] } } = useQuery(cardFacetsQuery)
  return (
    <>
      <SearchField
        label="Recipient, id or reference"
        value={search.search ?? ""}
        maxLength={limits.shortText}
        onSearch={(text) => setFilter({ search: text === "" ? undefined : text }, true)}
      />
      <Ending list={list} />
      <ChoiceFilter
        label="Template"
        value={search.template}
        choices={facets.templates.map((value) => ({ value, label: nameOf(value) }))}
        onChange={(template) => setFilter({ template })}
      />
      {(facets.statuses.length > 1 || search.status !== undefined) && (
        <ChoiceFilter
          label="Status"
          value={search.status}
          choices={facets.statuses.map((value) => ({
            value,
            label: <CardStatus card={{ status: value, is_test: null }} />,
          }))}
          onChange={(status) => setFilter({ status })}
        />
      )}
      <PanelFilter
        label="Issued"
        value={rangeWords(search)}
        onRemove={() => setFilter({ from: undefined, to: undefined })}
      >
        {(close) => (
          <DaysChoice
            value={search}
            help={`Days in ${program.time_zone} time.`}
            onChoose={({ from, to }) => {
              setFilter({ from, to })
              close()
            }}
          />
        )}
      </PanelFilter>
      <ChoiceFilter
        label="Test"
        value={search.test}
        choices={tests}
        onChange={(test) => setFilter({ test })}
      />
      <MoreFilters list={list} people={facets.people} />
    </>
  )
}

/** The order, and those that end soon: one click each. */
function Ending({ list }: { list: CardList }) {
  const { expiring: days, sort } = list.search
  return (
    <Segmented
      label="Order"
      value={days === undefined ? sort : "soon"}
      options={[
        { value: "newest", label: "Newest" },
        { value: "expiring", label: "Expiring soonest" },
        { value: "soon", label: `Within ${days ?? soonDays} days` },
      ]}
      onChange={(which) =>
        list.setFilter({
          expiring: which === "soon" ? soonDays : undefined,
          sort: which === "newest" ? "newest" : "expiring",
        })
      }
    />
  )
}
