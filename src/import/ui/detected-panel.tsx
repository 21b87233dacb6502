import { Checkbox, NativeSelect } from "@mantine/core"
import { SelectChevron } from "../../forms/select-chevron.tsx"
import { delimiterLabels, delimiters } from "../read/delimiter.ts"
import { encodingLabels, encodings } from "../read/encoding.ts"
import type { ImportSession } from "../session/import-session.ts"
import type { Detected } from "../sheet/sheet-view.ts"
import classes from "./file-line.module.css"

interface DetectedPanelProps {
  session: ImportSession
  detected: Detected
}

/** Changes how the file is read. What was changed in the rows is lost by it, and the panel says so. */
export function DetectedPanel({ session, detected }: DetectedPanelProps) {
  const { encoding, delimiter, header, decimal, decimalMatters, canReread } = detected
  if (!canReread) {
    return <p className={classes.panel}>To use other settings, choose the file again.</p>
  }
  return (
    <div className={classes.panel}>
      <NativeSelect
        label="Encoding"
        value={encoding ?? ""}
        data={encodings.map((value) => ({ value, label: encodingLabels[value] }))}
        rightSection={<SelectChevron />}
        onChange={({ currentTarget }) => {
          const chosen = encodings.find((each) => each === currentTarget.value)
          if (chosen !== undefined) void session.reread({ encoding: chosen })
        }}
      />
      <NativeSelect
        label="Delimiter"
        value={delimiter}
        data={delimiters.map((value) => ({ value, label: delimiterLabels[value] }))}
        rightSection={<SelectChevron />}
        onChange={({ currentTarget }) => {
          const chosen = delimiters.find((each) => each === currentTarget.value)
          if (chosen !== undefined) void session.reread({ delimiter: chosen })
        }}
      />
      {decimalMatters && (
        <NativeSelect
          label="Number format"
          value={decimal}
          data={[
            { value: ".", label: "1,250.00" },
            { value: ",", label: "1.250,00" },
          ]}
          rightSection={<SelectChevron />}
          onChange={({ currentTarget }) =>
            void session.reread({ decimal: currentTarget.value === "," ? "," : "." })
          }
        />
      )}
      <Checkbox
        label="First row has column names"
        checked={header !== null}
        onChange={({ currentTarget }) => void session.reread({ header: currentTarget.checked ? 0 : null })}
      />
      <p className={classes.help}>Reloading restores the rows as they are in the file.</p>
    </div>
  )
}
