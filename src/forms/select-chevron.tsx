import { IconChevronDown } from "@tabler/icons-react"

/** The mark at the end of a list of choices. */
export function SelectChevron() {
  return <IconChevronDown size={16} stroke={1.75} aria-hidden />
}
