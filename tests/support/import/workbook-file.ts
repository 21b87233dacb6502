import { writeZip } from "../../../src/lib/zip.ts"

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packages = "http://schemas.openxmlformats.org/package/2006/relationships"

type Part = Parameters<typeof writeZip>[0][string]

interface WorkbookParts {
  /** The XML of `<sheetData>`, by the name of its sheet. */
  readonly sheets: Readonly<Record<string, string>>
  /** Names of hidden sheets. */
  readonly hidden?: readonly string[]
  /** Elements before and after `<sheetData>`. */
  readonly before?: string
  readonly after?: string
  /** `<si>` elements. */
  readonly shared?: string
  /** The format of each cell style: an id of Excel's own, or a code. */
  readonly formats?: readonly (number | string)[]
  readonly properties?: string
  /** Further parts, and parts in place of the usual ones; null leaves one out. */
  readonly parts?: Readonly<Record<string, Part | null>>
}

const relations = (parts: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="${packages}">${parts.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`).join("")}</Relationships>`

/** The styles part: own formats have ids from 164. */
function stylesXml(formats: readonly (number | string)[]): string {
  const codes = formats.map((format, at) =>
    typeof format === "string"
      ? `<numFmt numFmtId="${164 + at}" formatCode="${format.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")}"/>`
      : "",
  )
  const styles = formats.map(
    (format, at) => `<xf numFmtId="${typeof format === "string" ? 164 + at : format}" xfId="0"/>`,
  )
  return `<styleSheet xmlns="${main}"><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${styles.join("")}</cellXfs><dxfs><dxf><numFmt numFmtId="164" formatCode="0.00"/></dxf></dxfs></styleSheet>`
}

/** A workbook of these parts, as a file. */
export async function workbookFile(given: WorkbookParts, name = "awards.xlsx"): Promise<File> {
  const { sheets, hidden = [], before = "", after = "", shared, formats, properties = "", parts = {} } = given
  const names = Object.keys(sheets)
  const worksheets = Object.entries(sheets).map(([, rows], at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${main}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
  ])
  const listed = names.map(
    (sheet, at) =>
      `<sheet name="${sheet}" sheetId="${at + 1}"${hidden.includes(sheet) ? ' state="hidden"' : ""} r:id="rId${at + 1}"/>`,
  )
  const all: Readonly<Record<string, Part | null>> = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...names.map((_, at) => ["worksheet", `worksheets/sheet${at + 1}.xml`] as const),
      ...(shared === undefined ? [] : [["sharedStrings", "sharedStrings.xml"] as const]),
      ...(formats === undefined ? [] : [["styles", "/xl/styles.xml"] as const]),
    ]),
    ...Object.fromEntries(worksheets),
    ...(shared !== undefined && { "xl/sharedStrings.xml": `<sst xmlns="${main}">${shared}</sst>` }),
    ...(formats !== undefined && { "xl/styles.xml": stylesXml(formats) }),
    ...parts,
  }
  const present = Object.entries(all).flatMap(([path, text]) =>
    text === null ? [] : [[path, text] as const],
  )
  return new File([await writeZip(Object.fromEntries(present))], name)
}

/** A row of texts as Google Sheets and others write them, without places. */
export const textRow = (...texts: readonly string[]) =>
  `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`
