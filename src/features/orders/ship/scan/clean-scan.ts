/** What a scanner may set before a code to say which kind of barcode it was (`]C1`, `]Q3`). */
const symbology = /^\][A-Za-z][0-9A-Za-z]/
/** Control and format characters, which some scanners send and nobody sees. */
const invisible = /[\p{Cc}\p{Cf}]/gu

/** A scan as it is meant: without the scanner's own marks, invisible characters and space around it. */
export function cleanScan(text: string): string {
  return text.replace(invisible, "").trim().replace(symbology, "").trim()
}
