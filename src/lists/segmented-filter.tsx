import { Segmented } from "../ui/segmented.tsx"
import type { ListFilter } from "./list-filters.tsx"

/** A filter with few values, all of them in view at once; the first choice, called `all`, is no filter. */
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
      <Segmented
        label={label}
        value={options.find(({ value }) => value === chosen)?.value ?? "all"}
        options={options}
        onChange={(value) => set({ [key]: value === "all" ? undefined : value })}
      />
    ),
  }
}
