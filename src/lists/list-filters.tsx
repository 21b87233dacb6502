import { lazy, type ReactNode } from "react"
import { rangeWords } from "../lib/days.ts"
import { ChoiceFilter, PanelFilter, SearchField } from "./filters.tsx"
import type { ListChange, ListState } from "./list-state.ts"

const DaysChoice = lazy(async () => ({ default: (await import("./filter-panels.tsx")).DaysChoice }))
const TextChoice = lazy(async () => ({ default: (await import("./filter-panels.tsx")).TextChoice }))

/** A value a filter can take, and how it is shown in the list of values and on the filter. */
interface FilterChoice {
  readonly value: string
  readonly label: ReactNode
}

/** A filter as a list declares it; `key` is its search parameter. */
export type ListFilter =
  /** The list's search field. */
  | { readonly type: "search"; readonly key: string; readonly label: string }
  /** A fixed set of values. */
  | {
      readonly type: "choice"
      readonly key: string
      readonly label: string
      readonly choices: readonly FilterChoice[]
    }
  /** Values nobody can list: those seen so far, and free text. */
  | {
      readonly type: "text"
      readonly key: string
      readonly label: string
      readonly seen: readonly { readonly value: string; readonly label: string }[]
      readonly help: string
    }
  /** Days, both included, in the parameters `from` and `to`. */
  | { readonly type: "days"; readonly label: string; readonly help: string }
  /** Anything else. `keys` are its parameters; with none it only says something. */
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
  switch (filter.type) {
    case "search":
      return (
        <SearchField
          label={filter.label}
          value={textOf(values[filter.key]) ?? ""}
          maxLength={longest}
          onSearch={(text) => setFilter({ [filter.key]: text || undefined }, { replace: true })}
        />
      )
    case "choice":
      return (
        <ChoiceFilter
          label={filter.label}
          value={textOf(values[filter.key])}
          choices={filter.choices}
          onChange={(value) => setFilter({ [filter.key]: value })}
        />
      )
    case "text": {
      const value = textOf(values[filter.key])
      return (
        <PanelFilter
          label={filter.label}
          value={value}
          onRemove={() => setFilter({ [filter.key]: undefined })}
        >
          {(close) => (
            <TextChoice
              label={filter.label}
              value={value ?? ""}
              seen={filter.seen}
              help={filter.help}
              maxLength={longest}
              onChoose={(text) => {
                setFilter({ [filter.key]: text || undefined })
                close()
              }}
            />
          )}
        </PanelFilter>
      )
    }
    case "days": {
      const days = { from: textOf(values["from"]), to: textOf(values["to"]) }
      return (
        <PanelFilter
          label={filter.label}
          value={rangeWords(days)}
          onRemove={() => setFilter({ from: undefined, to: undefined })}
        >
          {(close) => (
            <DaysChoice
              value={days}
              help={filter.help}
              onChoose={({ from, to }) => {
                setFilter({ from, to })
                close()
              }}
            />
          )}
        </PanelFilter>
      )
    }
    default:
      return filter.render(setFilter, values)
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
