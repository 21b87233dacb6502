import { SegmentedControl } from "@mantine/core"
import type { ListFilter } from "./list-filters.tsx"

/** A filter with few values as segments; the first one, labelled `all`, clears it. */
export function segmentedFilter(
  key: string,
  label: string,
  all: string,
  choices: readonly { readonly value: string; readonly label: string }[],
): ListFilter {
  const options = [{ value: "all", label: all }, ...choices]
  return {
    type: "custom",
    keys: [key],
    render: (set, { [key]: chosen }) => (
      <SegmentedControl
        aria-label={label}
        value={options.find(({ value }) => value === chosen)?.value ?? "all"}
        data={options}
        onChange={(value) => set({ [key]: value === "all" ? undefined : value })}
      />
    ),
  }
}
