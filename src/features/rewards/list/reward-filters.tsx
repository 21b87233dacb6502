import { lazy } from "react"
import { limits } from "../../../../contract/limits.ts"
import { formatPoints } from "../../../lib/format.ts"
import { ChoiceFilter, PanelFilter, SearchField } from "../../../lists/filters.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { Status } from "../../../ui/status.tsx"
import type { RewardList } from "./use-reward-list.ts"

const TextChoice = lazy(async () => ({
  default: (await import("../../../lists/filter-panels.tsx")).TextChoice,
}))
const PointsRange = lazy(async () => ({ default: (await import("./points-range.tsx")).PointsRange }))

const statuses = (["active", "inactive"] as const).map((value) => ({
  value,
  label: <Status of="reward" value={value} />,
}))
const types = [
  { value: "all", label: "All types" },
  { value: "physical", label: "Physical" },
  { value: "digital", label: "Digital" },
] as const

/** Every filter the service has for rewards, and a search of the page that is shown. */
export function RewardFilters({ list }: { list: RewardList }) {
  const { search, setFilter, categories } = list
  return (
    <>
      <SearchField
        label="Search this page"
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
      <PanelFilter
        label="Category"
        value={search.category}
        onRemove={() => setFilter({ category: undefined })}
      >
        {(close) => (
          <TextChoice
            label="Category"
            value={search.category ?? ""}
            seen={categories.map((category) => ({ value: category, label: category }))}
            help="The service doesn’t list categories. These were seen on loaded rewards; you can type any other."
            maxLength={limits.shortText}
            onChoose={(category) => {
              setFilter({ category: category === "" ? undefined : category })
              close()
            }}
          />
        )}
      </PanelFilter>
      <PanelFilter
        label="Points"
        value={rangeText(search.min_points, search.max_points)}
        onRemove={() => setFilter({ min_points: undefined, max_points: undefined })}
      >
        {(close) => (
          <PointsRange
            from={search.min_points}
            to={search.max_points}
            onChoose={(min_points, max_points) => {
              setFilter({ min_points, max_points })
              close()
            }}
          />
        )}
      </PanelFilter>
      <Segmented
        label="Type"
        value={search.type ?? "all"}
        options={types}
        onChange={(type) => setFilter({ type: type === "all" ? undefined : type })}
      />
    </>
  )
}

/** "5,000 to 25,000", "from 5,000", "up to 25,000". */
function rangeText(from: number | undefined, to: number | undefined): string | undefined {
  if (from === undefined) return to === undefined ? undefined : `up to ${formatPoints(to)}`
  return to === undefined ? `from ${formatPoints(from)}` : `${formatPoints(from)} to ${formatPoints(to)}`
}
