import { Button } from "@mantine/core"
import { useRef } from "react"

interface ChooseFileProps {
  label: string
  /** The one thing to do on the page. */
  filled?: boolean
  onChoose: (file: File) => void
}

/** A button that opens the system's dialog for one file. Any file may be chosen: what it is, its content says. */
export function ChooseFile({ label, filled = false, onChoose }: ChooseFileProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant={filled ? "filled" : "default"} onClick={() => field.current?.click()}>
        {label}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={label}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file may be chosen again after it was mended.
          currentTarget.value = ""
          if (file !== undefined) onChoose(file)
        }}
      />
    </>
  )
}
