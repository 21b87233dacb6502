import { SegmentedControl } from "@mantine/core"

interface SegmentedProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  disabled?: boolean
}

/** Two to six values of which exactly one holds. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled,
}: SegmentedProps<T>) {
  return (
    <SegmentedControl
      aria-label={label}
      withItemsBorders={false}
      value={value}
      data={[...options]}
      disabled={disabled ?? false}
      onChange={(chosen) => {
        const option = options.find((each) => each.value === chosen)
        if (option !== undefined) onChange(option.value)
      }}
    />
  )
}
