import { Box, Group, SegmentedControl } from "@mantine/core"
import { IconListCheck } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { formatCount } from "../lib/format.ts"
import { type DataColumn, DataTable } from "../ui/data-table.tsx"
import { EmptyState } from "../ui/query-state.tsx"

/** What a page shows of a file that changes records. */
export type FileView = "rows" | "changes"

/** Switches between the rows of the file and what they change; `children`: how far the comparison is. */
export function FileViewSwitch(props: {
  view: FileView
  onChange: (view: FileView) => void
  children: ReactNode
}) {
  const { view, onChange, children } = props
  return (
    <Group gap="8px 16px" px="gutter" pt={12}>
      <SegmentedControl<FileView>
        aria-label="What is shown"
        value={view}
        data={[
          { value: "rows", label: "Rows of the file" },
          { value: "changes", label: "What changes" },
        ]}
        onChange={onChange}
      />
      <output className="l-meta text-muted l-num">{children}</output>
    </Group>
  )
}

/** Rows that are drawn; all are sent. */
const mostShown = 500

/** What rows of a file change, before and after. `none`: title and help if nothing would change. */
export function FileChanges<R>(props: {
  rows: readonly R[]
  columns: readonly DataColumn<R>[]
  keyOf: (row: R) => string | number
  isQuiet?: (row: R) => boolean
  nowrap?: boolean
  none: { title: string; help: string }
  scrollId: string
}) {
  const { rows, columns, keyOf, isQuiet, nowrap = false, none, scrollId } = props
  if (rows.length === 0) return <EmptyState icon={IconListCheck} {...none} />
  return (
    <Box className={`grow scroll ${nowrap ? "nowrap" : ""}`} mt={12} data-scroll-restoration-id={scrollId}>
      <DataTable
        wide
        label="What changes"
        columns={columns}
        rows={rows.slice(0, mostShown)}
        keyOf={keyOf}
        toneOf={(row) => (isQuiet?.(row) === true ? "quiet" : undefined)}
      />
      {rows.length > mostShown && (
        <Box component="p" className="caption" px="gutter" py={12}>
          The first {formatCount(mostShown)} of {formatCount(rows.length)}. The others are sent as well.
        </Box>
      )}
    </Box>
  )
}
