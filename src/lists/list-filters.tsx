import { lazy, type ReactNode } from "react"
import { type DayRange, rangeWords } from "../lib/days.ts"
import { ChoiceFilter, PanelFilter, SearchField } from "./filters.tsx"
import type { ListChange, ListState } from "./list-state.ts"

const DaysChoice = lazy(async () => ({ default: (await import("./filter-panels.tsx")).DaysChoice }))
const TextChoice = lazy(async () => ({ default: (await import("./filter-panels.tsx")).TextChoice }))

interface Keyed<Type extends string> {
  readonly type: Type
  readonly key: string
  readonly label: string
}

/** A filter as a list declares it; `key` is its search parameter. */
export type ListFilter =
  | Keyed<"search">
  | (Keyed<"choice"> & { readonly choices: readonly { readonly value: string; readonly label: ReactNode }[] })
  /** Values nobody can list: those seen so far, and free text. */
  | (Keyed<"text"> & { readonly seen: readonly { value: string; label: string }[]; readonly help: string })
  /** Days, both included, in the parameters `from` and `to`. */
  | { readonly type: "days"; readonly label: string; readonly help: string }
  | {
      readonly type: "custom"
      readonly keys: readonly string[]
      readonly render: (set: (change: ListChange) => void, values: ListState["values"]) => ReactNode
    }

/** Longest text a filter takes; the schemas of the addresses say the same (contract/limits.ts, shortText). */
const longest = 200

const keysOf = (filter: ListFilter): readonly string[] =>
  filter.type === "custom" ? filter.keys : filter.type === "days" ? ["from", "to"] : [filter.key]

/** The values of the filters that are in use, by parameter. */
export function filtersInUse(
  filters: readonly ListFilter[],
  values: ListState["values"],
): Readonly<Record<string, unknown>> {
  const keys = filters.flatMap(keysOf).filter((key) => values[key] !== undefined)
  return Object.fromEntries(keys.map((key) => [key, values[key]]))
}

/** A change that takes every filter away. */
export function withoutFilters(filters: readonly ListFilter[]): ListChange {
  return Object.fromEntries(filters.flatMap(keysOf).map((key) => [key, undefined]))
}

/** The filters of a list, each with the value the address has for it. */
export function ListFilters({ filters, state }: { filters: readonly ListFilter[]; state: ListState }) {
  return filters.map((filter) => (
    <Filter key={filter.type === "custom" ? filter.keys.join() : keysOf(filter)[0]} {...{ filter, state }} />
  ))
}

function Filter({ filter, state }: { filter: ListFilter; state: ListState }) {
  const { values, setFilter } = state
  if (filter.type === "custom") return filter.render(setFilter, values)
  const { label } = filter
  if (filter.type === "days") {
    const days = { from: textOf(values["from"]), to: textOf(values["to"]) }
    const set = ({ from, to }: DayRange) => setFilter({ from, to })
    return (
      <PanelFilter label={label} value={rangeWords(days)} onRemove={() => set({})}>
        {(close) => (
          <DaysChoice
            value={days}
            help={filter.help}
            onChoose={(chosen) => {
              set(chosen)
              close()
            }}
          />
        )}
      </PanelFilter>
    )
  }
  const value = textOf(values[filter.key])
  const set = (text?: string) => setFilter({ [filter.key]: text || undefined })
  if (filter.type === "search") {
    const search = (text: string) => setFilter({ [filter.key]: text || undefined }, { replace: true })
    return <SearchField label={label} value={value ?? ""} maxLength={longest} onSearch={search} />
  }
  if (filter.type === "choice")
    return <ChoiceFilter label={label} value={value} choices={filter.choices} onChange={set} />
  return (
    <PanelFilter label={label} value={value} onRemove={() => set()}>
      {(close) => (
        <TextChoice
          label={label}
          value={value ?? ""}
          seen={filter.seen}
          help={filter.help}
          maxLength={longest}
          onChoose={(text) => {
            set(text)
            close()
          }}
        />
      )}
    </PanelFilter>
  )
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
