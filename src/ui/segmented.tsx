import { SegmentedControl } from "@mantine/core"

/** Two to six values of which exactly one holds. */
export function Segmented<T extends string>(props: {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  disabled?: boolean
}) {
  const { label, value, options, onChange, disabled = false } = props
  return (
    <SegmentedControl
      aria-label={label}
      withItemsBorders={false}
      value={value}
      data={[...options]}
      disabled={disabled}
      onChange={(chosen) => {
        const option = options.find((each) => each.value === chosen)
        if (option !== undefined) onChange(option.value)
      }}
    />
  )
}
