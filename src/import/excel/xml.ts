import { Refusal } from "../read-file.ts"

export function damagedWorkbook(): Refusal {
  return new Refusal(
    "This workbook is damaged: not all of it can be read.",
    "Nothing was imported. Open it in Excel, which may repair it, save it again, and choose that file.",
  )
}

/** Gets the tags and texts of an XML file, one after the other. Names are without prefix. */
export interface TagReader {
  readonly open: (name: string, attributes: string) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

/** A comment, CDATA, a processing instruction, a tag, or text up to the next of them. No document type declaration. */
const token =
  /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?[^]*?\?>|<(\/?)([^\s/>"'<!?]+)([^"'<>]*(?:"[^"]*"[^"'<>]*|'[^']*'[^"'<>]*)*)>|([^<]+)(?=<)/y

/** Characters without a complete tag or text: more than any cell has. */
const mostPending = 5_000_000

/** @throws Refusal unless every element is closed at the end, and when the bytes cannot be unpacked */
export async function readTags(
  stream: ReadableStream<Uint8Array>,
  { open, close, text }: TagReader,
  count: (bytes: number) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  let pending = ""
  let depth = 0
  const take = (part: string) => {
    pending += part
    token.lastIndex = 0
    let end = 0
    for (let found = token.exec(pending); found !== null; found = token.exec(pending)) {
      end = token.lastIndex
      const [, data, slash, qualified, attributes = "", plain] = found
      if (plain !== undefined) text?.(decoded(oneLineEnd(plain)))
      else if (data !== undefined) text?.(oneLineEnd(data))
      else if (qualified !== undefined) {
        const name = qualified.slice(qualified.indexOf(":") + 1)
        const isEmpty = attributes.endsWith("/")
        if (slash === "") open(name, attributes)
        if (slash !== "" || isEmpty) close?.(name)
        if (slash !== "") depth -= 1
        else if (!isEmpty) depth += 1
      }
    }
    pending = pending.slice(end)
    if (pending.length > mostPending) throw damagedWorkbook()
  }
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw damagedWorkbook()
      })
      if (done) break
      count(value.byteLength)
      take(decoder.decode(value, { stream: true }))
    }
    take(decoder.decode())
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error
  }
  if (depth !== 0 || pending.trim() !== "") throw damagedWorkbook()
}

/** XML has one line end; `_x000D_` and `&#13;` are further ones. */
const oneLineEnd = (text: string) => (text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text)

const entities: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
])

function decoded(text: string): string {
  if (!text.includes("&")) return text
  return text.replaceAll(
    /&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi,
    (all: string, ...found: (string | undefined)[]) => {
      const [decimal, hexadecimal, name] = found
      if (name !== undefined) return entities.get(name) ?? all
      const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
      return code > 0x10ffff ? all : String.fromCodePoint(code)
    },
  )
}

/** A cell's text: characters that XML cannot have are written `_x0007_`. */
export function cellTextOf(text: string): string {
  if (!text.includes("_x")) return text
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Reads an attribute by its name without prefix. */
export function attributeReader(name: string) {
  const pattern = new RegExp(`\\s(?:[^\\s:="']+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  return (attributes: string): string | undefined => {
    const found = pattern.exec(attributes)
    const value = found?.[1] ?? found?.[2]
    return value === undefined ? undefined : decoded(value)
  }
}

export const isOn = (value: string | undefined) => value === "1" || value === "true"

/** Collects the text of `<t>` elements, except in phonetic runs. */
export function createTextReader() {
  let found = ""
  let isText = false
  let isPhonetic = false
  return {
    begin: () => {
      found = ""
    },
    open: (tag: string) => {
      if (tag === "rPh") isPhonetic = true
      if (tag === "t") isText = !isPhonetic
    },
    close: (tag: string) => {
      if (tag === "rPh") isPhonetic = false
      if (tag === "t") isText = false
    },
    add: (more: string) => {
      if (isText) found += more
    },
    end: () => cellTextOf(found),
  }
}
