import { Button } from "@mantine/core"
import { IconColumns3 } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import { Drop } from "../ui/drop.tsx"
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
  return (
    <Drop
      label="Columns"
      align="end"
      renderButton={(button) => (
        <Button leftSection={<IconColumns3 size={16} stroke={1.75} aria-hidden />} {...button}>
          Columns
        </Button>
      )}
    >
      {() => (
        <Suspense>
          <ColumnsChooser {...props} />
        </Suspense>
      )}
    </Drop>
  )
}
