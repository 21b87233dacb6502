import { Button } from "@mantine/core"
import { IconChevronDown } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { Popover } from "../../../ui/popover.tsx"

const FileChoices = lazy(async () => ({ default: (await import("./file-choices.tsx")).FileChoices }))

/** Opens what can be done with many members from a file. */
export function FileButton() {
  return (
    <Popover
      label="Import"
      align="end"
      renderButton={(button) => (
        <Button {...button} rightSection={<IconChevronDown size={14} stroke={2} aria-hidden />}>
          Import
        </Button>
      )}
    >
      {() => (
        <Suspense fallback={<SkeletonRows rows={3} columns={[160]} />}>
          <FileChoices />
        </Suspense>
      )}
    </Popover>
  )
}
