import { Button, Checkbox } from "@mantine/core"
import type { ColumnChoice } from "./column-choice.ts"
import classes from "./columns-chooser.module.css"
import type { ListColumn } from "./list-column.ts"
import { isShown } from "./use-list-table.ts"

interface ColumnsChooserProps {
  columns: readonly ListColumn<never>[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}

/** Which columns are shown; the last one stays. The choice is kept in this browser. */
export function ColumnsChooser({ columns, choice, onChoose }: ColumnsChooserProps) {
  const shown = columns.filter((column) => isShown(column, choice, "wide"))
  const toggle = (column: ListColumn<never>, show: boolean) => {
    const { [column.id]: _, ...rest } = choice
    const isDefault = show === (column.hidden !== true)
    onChoose(isDefault ? rest : { ...rest, [column.id]: show })
  }
  return (
    <div className={classes.panel}>
      <ul className={classes.columns}>
        {columns.map((column) => {
          const isOn = shown.includes(column)
          return (
            <li key={column.id}>
              <Checkbox
                label={column.label}
                classNames={{ label: classes.label }}
                checked={isOn}
                disabled={isOn && shown.length === 1}
                onChange={(event) => toggle(column, event.currentTarget.checked)}
              />
            </li>
          )
        })}
      </ul>
      <div className={classes.foot}>
        <span className="l-meta l-3">Saved in this browser</span>
        <Button
          size="xs"
          variant="subtle"
          disabled={Object.keys(choice).length === 0}
          onClick={() => onChoose({})}
        >
          Reset
        </Button>
      </div>
    </div>
  )
}
