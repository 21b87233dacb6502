const patience = 60_000

/** Downloads a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), patience)
}

/** A CSV text as a file. It starts with a byte order mark: without one Excel reads UTF-8 as Windows-1252. */
export function csvBlob(text: string): Blob {
  return new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" })
}
