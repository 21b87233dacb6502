import { formatCount } from "../../lib/format.ts"
import { DamagedZip, openEntry, readZip } from "../../lib/zip.ts"
import { Refusal, type Table, tableOf } from "../read-file.ts"
import type { NumberStyle } from "../recipe.ts"
import type { ExcelOrigin } from "../sheet-data.ts"
import { type CellFormat, cellFormat, generalFormat } from "./shown-number.ts"
import { WorksheetReader } from "./worksheet.ts"
import { attributeReader, createTextReader, damagedWorkbook, isOn, readTags, type TagReader } from "./xml.ts"

/** Unpacked bytes that are read: a small file can unpack to gigabytes. */
const mostUnpacked = 200_000_000

const saveAsXlsx = "Open it in your spreadsheet program, save it as .xlsx, and choose that file."
const chooseTable = "Choose a workbook (.xlsx) or a CSV file."

/** What the user chose about a workbook; absent properties are those of a first reading. */
export type WorkbookChoice = Partial<
  Pick<ExcelOrigin, "sheet" | "hiddenRows" | "hiddenColumns" | "allDigits">
> & { readonly style?: NumberStyle | undefined }

/**
 * Reads one sheet of an Excel workbook as the texts that Excel shows. Hidden rows are left out unless chosen, hidden
 * columns are read.
 * @throws Refusal for every file that is no readable workbook, and when several sheets have rows and none is chosen
 */
export async function readWorkbook(
  file: Blob,
  choice: WorkbookChoice,
  onProgress: (share: number) => void,
): Promise<Table> {
  const parts = await openParts(file)
  const book = await readBook(parts)
  const { name, path } = await chosenSheet(parts, book.sheets, choice.sheet)
  const { hiddenRows = false, hiddenColumns = true, allDigits = false, style = "." } = choice
  const worksheet = new WorksheetReader({
    shared: await sharedTexts(parts, book.shared),
    formats: await cellFormats(parts, book.styles),
    from1904: book.from1904,
    style,
    hiddenRows,
    hiddenColumns,
    allDigits,
  })
  await parts.read(path, worksheet, onProgress)
  const { rows, numbers, found, size, ...notes } = worksheet.end()
  if (rows.length === 0 && size.rows === 0) {
    throw found.hiddenRows > 0
      ? new Refusal(
          `All rows of the sheet “${name}” are hidden.`,
          "Show them in Excel, save it, and choose it again.",
        )
      : new Refusal(`The sheet “${name}” is empty.`, "Choose a sheet with at least one row.")
  }
  const sheets = book.sheets.map((sheet) => ({ name: sheet.name, hidden: sheet.hidden }))
  const excel: ExcelOrigin = { sheet: name, sheets, hiddenRows, hiddenColumns, allDigits, found }
  return { ...tableOf(rows, numbers, size), ...notes, excel, delimiter: ",", badQuotes: new Set() }
}

type Parts = Awaited<ReturnType<typeof openParts>>

/** Opens the zip file, or says what else the file is. */
async function openParts(file: Blob) {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (start[0] === 0xd0) throw await refusalOfOldFile(file)
  const entries = await whole(readZip(file))
  if (!entries.has("[content_types].xml")) throw refusalOfOtherZip((name) => entries.has(name))
  let unpacked = 0

  async function read(path: string, reader: TagReader, onProgress?: (share: number) => void): Promise<void> {
    const entry = entries.get(path.toLowerCase())
    if (entry === undefined) throw damagedWorkbook()
    if (entry.encrypted) throw refusalOfPassword()
    if (entry.size > mostUnpacked) throw refusalOfSize()
    let done = 0
    await readTags(await whole(openEntry(file, entry)), reader, (bytes) => {
      unpacked += bytes
      done += bytes
      // The directory can say less than the truth.
      if (unpacked > mostUnpacked) throw refusalOfSize()
      onProgress?.(done / Math.max(done, entry.size))
    })
  }

  return { has: (path: string) => entries.has(path.toLowerCase()), read }
}

async function whole<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw error instanceof DamagedZip ? damagedWorkbook() : error
  })
}

function refusalOfSize(): Refusal {
  return new Refusal(
    "Unpacked, this workbook has more than 200 MB.",
    "Nothing was imported. Copy the rows to a new workbook, or save the sheet as CSV, and choose that file.",
  )
}

function refusalOfPassword(): Refusal {
  return new Refusal(
    "This workbook is protected with a password.",
    "Open it in Excel, remove the password (File, Info, Protect Workbook), save it, and choose that file.",
  )
}

/** The container of Office before 2007 also holds workbooks with a password. */
async function refusalOfOldFile(file: Blob): Promise<Refusal> {
  const text = new TextDecoder("latin1").decode(await file.arrayBuffer()).toLowerCase()
  const holds = (name: string) => text.includes(Array.from(name).join("\0"))
  if (holds("encryptedpackage")) return refusalOfPassword()
  return holds("workbook") || holds("book")
    ? new Refusal("This is a workbook of Excel 2003 or earlier (.xls).", saveAsXlsx)
    : new Refusal("This is an Office file without a workbook.", chooseTable)
}

function refusalOfOtherZip(has: (name: string) => boolean): Refusal {
  if (has("content.xml") && has("mimetype")) {
    return new Refusal("This is an OpenDocument file (such as .ods).", saveAsXlsx)
  }
  if (has("index/document.iwa") || has("index.zip")) {
    const exportIt = "Export it to Excel (.xlsx) or CSV, and choose that file."
    return new Refusal("This is a document of Numbers or another Apple program.", exportIt)
  }
  return new Refusal(
    "This is an archive, not a workbook.",
    "Unpack it, and choose the workbook or CSV file in it.",
  )
}

const codeOf = attributeReader("formatCode")
const dateSystemOf = attributeReader("date1904")
const formatIdOf = attributeReader("numFmtId")
const idOf = attributeReader("id")
const nameOf = attributeReader("name")
const stateOf = attributeReader("state")
const targetOf = attributeReader("Target")
const relationIdOf = attributeReader("Id")
const relationOf = attributeReader("Type")

interface Relation {
  readonly id: string | undefined
  readonly type: string
  readonly path: string
}

/** The parts that belong to a part, by its folder and name. */
async function relationsOf(parts: Parts, folder: string, name: string): Promise<readonly Relation[]> {
  const path = `${folder}_rels/${name}.rels`
  const relations: Relation[] = []
  if (!parts.has(path)) return relations
  await parts.read(path, {
    open: (tag, attributes) => {
      const target = targetOf(attributes)
      if (tag !== "Relationship" || target === undefined || !URL.canParse(target, "file:///")) return
      relations.push({
        id: relationIdOf(attributes),
        type: (relationOf(attributes) ?? "").replace(/^.*\//, ""),
        path: new URL(target, `file:///${folder}`).pathname.slice(1),
      })
    },
  })
  return relations
}

interface SheetPart {
  readonly name: string
  readonly hidden: boolean
  readonly path: string
}

/** The worksheets of a workbook in their order, and where its texts and styles are. */
async function readBook(parts: Parts) {
  const main = (await relationsOf(parts, "", "")).find(({ type }) => type === "officeDocument")
  const path = main?.path ?? "xl/workbook.xml"
  if (path.endsWith(".bin")) throw new Refusal("This is a binary workbook (.xlsb).", saveAsXlsx)
  const at = path.lastIndexOf("/") + 1
  const relations = await relationsOf(parts, path.slice(0, at), path.slice(at))
  const sheets: SheetPart[] = []
  let from1904 = false
  let isWorkbook = false
  await parts.read(path, {
    open: (tag, attributes) => {
      if (tag === "workbook") isWorkbook = true
      if (tag === "workbookPr") from1904 = isOn(dateSystemOf(attributes))
      if (tag !== "sheet") return
      const id = idOf(attributes)
      const part = relations.find((each) => each.id === id && each.type === "worksheet")
      if (part === undefined) return
      const hidden = /hidden/i.test(stateOf(attributes) ?? "")
      sheets.push({ name: nameOf(attributes) ?? "", hidden, path: part.path })
    },
  })
  if (!isWorkbook) throw new Refusal("This is an Office file without a workbook.", chooseTable)
  const partOf = (type: string) => relations.find((each) => each.type === type)?.path
  return { sheets, from1904, shared: partOf("sharedStrings"), styles: partOf("styles") }
}

/** The chosen sheet, else the only visible one with cells. */
async function chosenSheet(parts: Parts, sheets: readonly SheetPart[], chosen?: string): Promise<SheetPart> {
  const found = sheets.find(({ name }) => name === chosen)
  if (found !== undefined) return found
  const visible = sheets.filter(({ hidden }) => !hidden)
  const filled: SheetPart[] = []
  for (const sheet of visible) {
    if (visible.length === 1 || (await hasCells(parts, sheet))) filled.push(sheet)
  }
  const [only, ...others] = filled
  if (only === undefined) {
    throw new Refusal(
      visible.length === 0
        ? "This workbook has no visible sheet with cells."
        : "All sheets of this workbook are empty.",
      "Choose a workbook with at least one row.",
    )
  }
  if (others.length === 0) return only
  throw new Refusal(
    `Which of ${formatCount(filled.length)} sheets do you want to import?`,
    "One sheet is imported at a time. Nothing was opened yet.",
    filled.map(({ name }) => name),
  )
}

const firstCell = Symbol("the first cell with a value")

async function hasCells(parts: Parts, { path }: SheetPart): Promise<boolean> {
  try {
    await parts.read(path, {
      open: (tag) => {
        if (tag === "v" || tag === "is" || tag === "f") throw firstCell
      },
    })
    return false
  } catch (error) {
    if (error === firstCell) return true
    throw error
  }
}

/** The texts that cells share; rich text without its formatting. */
async function sharedTexts(parts: Parts, path: string | undefined): Promise<readonly string[]> {
  const texts: string[] = []
  if (path === undefined) return texts
  const text = createTextReader()
  await parts.read(path, {
    open: (tag) => {
      if (tag === "si") text.begin()
      text.open(tag)
    },
    close: (tag) => {
      text.close(tag)
      if (tag === "si") texts.push(text.end())
    },
    text: text.add,
  })
  return texts
}

/** The number formats of the workbook's cell styles, by index. */
async function cellFormats(parts: Parts, path: string | undefined): Promise<readonly CellFormat[]> {
  if (path === undefined) return []
  const codes = new Map<number, string>()
  const ids: number[] = []
  let group = ""
  await parts.read(path, {
    open: (tag, attributes) => {
      if (tag === "numFmts" || tag === "cellXfs") group = tag
      const id = Number(formatIdOf(attributes) ?? 0)
      if (tag === "numFmt" && group === "numFmts") codes.set(id, codeOf(attributes) ?? "")
      if (tag === "xf" && group === "cellXfs") ids.push(id)
    },
    close: (tag) => {
      if (tag === group) group = ""
    },
  })
  const formats = new Map([...new Set(ids)].map((id) => [id, cellFormat(id, codes)]))
  return ids.map((id) => formats.get(id) ?? generalFormat)
}
