import { Group } from "@mantine/core"
import { IconAlertCircle, IconChevronDown } from "@tabler/icons-react"

/** What is not right with a field and what would be; takes the place of its help. */
export function FieldError({ message }: { message: string }) {
  return (
    <Group component="span" gap={4} wrap="nowrap" align="flex-start">
      <IconAlertCircle size={14} stroke={2} aria-hidden style={{ marginTop: 1 }} />
      {message}
    </Group>
  )
}

/** The mark at the end of a list of choices. */
export function SelectChevron() {
  return <IconChevronDown size={16} stroke={1.75} aria-hidden />
}
