import { Button, Popover } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import "@mantine/core/styles/Popover.layer.css"
import { IconColumns3 } from "@tabler/icons-react"
import { lazy, Suspense, useState } from "react"
import type { ColumnChoice } from "./column-choice.ts"
import type { ListColumn } from "./list-column.ts"

const ColumnsChooser = lazy(async () => ({
  default: (await import("./columns-chooser.tsx")).ColumnsChooser,
}))

interface ColumnsButtonProps {
  columns: readonly ListColumn<never>[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}

/** Opens the choice of columns. */
export function ColumnsButton(props: ColumnsButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus returnFocus keepMounted={false}>
      <Popover.Target>
        <Button
          leftSection={<IconColumns3 size={16} stroke={1.75} aria-hidden />}
          onClick={() => setOpen(!open)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense>
          <ColumnsChooser {...props} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
