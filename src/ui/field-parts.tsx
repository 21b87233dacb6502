import { Group } from "@mantine/core"
import { IconAlertCircle, IconChevronDown } from "@tabler/icons-react"

/** A field's error and how to fix it; replaces its help. */
export function FieldError({ message }: { message: string }) {
  return (
    <Group component="span" gap={4} wrap="nowrap" align="flex-start">
      <IconAlertCircle size={14} stroke={2} aria-hidden style={{ marginTop: 1 }} />
      {message}
    </Group>
  )
}

/** The chevron of a select. */
export function SelectChevron() {
  return <IconChevronDown size={16} stroke={1.75} aria-hidden />
}
