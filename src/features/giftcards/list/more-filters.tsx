import { lazy, useState } from "react"
import { limits } from "../../../../contract/limits.ts"
import { ChoiceFilter, PanelFilter } from "../../../lists/filters.tsx"
import { originWords } from "../card-parts.tsx"
import type { CardList } from "./use-card-list.ts"

const TextChoice = lazy(async () => ({
  default: (await import("../../../lists/filter-panels.tsx")).TextChoice,
}))

const rare = { person: "Person", origin: "Source", job: "Job", member: "Member" } as const
type Rare = keyof typeof rare
const names = Object.keys(rare) as Rare[]

const origins = (["issued", "adopted", "unexpected"] as const).map((value) => ({
  value,
  label: originWords[value],
}))

interface MoreFiltersProps {
  list: CardList
  people: readonly { id: string; name: string }[]
}

/** Filters that are seldom needed: one that is in use, or that was asked for, stands in the row; "More" offers the rest. */
export function MoreFilters({ list, people }: MoreFiltersProps) {
  const { search, setFilter } = list
  const [asked, ask] = useState<readonly Rare[]>([])
  const shown = (name: Rare) => search[name] !== undefined || asked.includes(name)
  const rest = names.filter((name) => !shown(name))
  return (
    <>
      {shown("person") && (
        <ChoiceFilter
          label={rare.person}
          value={search.person}
          choices={people.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(person) => setFilter({ person })}
        />
      )}
      {shown("origin") && (
        <ChoiceFilter
          label={rare.origin}
          value={search.origin}
          choices={origins}
          onChange={(origin) => setFilter({ origin })}
        />
      )}
      {shown("job") && (
        <IdFilter label={rare.job} value={search.job} most={40} onChange={(job) => setFilter({ job })} />
      )}
      {shown("member") && (
        <IdFilter
          label={rare.member}
          value={search.member}
          most={limits.shortText}
          onChange={(member) => setFilter({ member })}
        />
      )}
      {rest.length > 0 && (
        <ChoiceFilter
          label="More"
          value={undefined}
          choices={rest.map((value) => ({ value, label: rare[value] }))}
          onChange={(name) => name !== undefined && ask([...asked, name])}
        />
      )}
    </>
  )
}

interface IdFilterProps {
  label: string
  value: string | undefined
  most: number
  onChange: (id: string | undefined) => void
}

function IdFilter({ label, value, most, onChange }: IdFilterProps) {
  const what = label.toLowerCase()
  return (
    <PanelFilter
      label={label}
      value={value === undefined ? undefined : <span className="l-mono">{value}</span>}
      onRemove={() => onChange(undefined)}
    >
      {(close) => (
        <TextChoice
          label={`${what} id`}
          value={value ?? ""}
          seen={[]}
          help={`The full id, as shown on the ${what}’s page.`}
          maxLength={most}
          onChoose={(id) => {
            onChange(id === "" ? undefined : id)
            close()
          }}
        />
      )}
    </PanelFilter>
  )
}
