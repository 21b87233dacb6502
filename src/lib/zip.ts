/** Zip files (PKWARE APPNOTE) with the browser's own compression, which checks and makes their checksums as gzip. */

export class DamagedZip extends Error {
  override readonly name = "DamagedZip"
}

export interface ZipEntry {
  readonly method: number
  readonly encrypted: boolean
  readonly checksum: number
  /** Bytes in the file, and unpacked as the directory says. */
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const signatures = {
  local: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  largeEnd: 0x06064b50,
  largeEndPlace: 0x07064b50,
}
const endBytes = 22
const mostComment = 65_535
/** A field with this value has its own in the entry's zip64 part. */
const inLargePart = 0xffffffff
const stored = 0
const deflated = 8
const gzipHead = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
const gzipEnd = 8

async function viewOf(file: Blob, from: number, length: number): Promise<DataView> {
  const bytes = await file.slice(from, from + length).arrayBuffer()
  if (bytes.byteLength < length) throw new DamagedZip("The file ends early.")
  return new DataView(bytes)
}

const large = (view: DataView, at: number) => Number(view.getBigUint64(at, true))

/** Where the directory begins, and its length. */
async function findDirectory(file: Blob): Promise<readonly [from: number, length: number]> {
  const length = Math.min(file.size, endBytes + mostComment)
  const tail = await viewOf(file, file.size - length, length)
  for (let at = length - endBytes; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== signatures.end) continue
    const from = tail.getUint32(at + 16, true)
    if (from !== inLargePart) return [from, tail.getUint32(at + 12, true)]
    if (at < 20 || tail.getUint32(at - 20, true) !== signatures.largeEndPlace) break
    const end = await viewOf(file, large(tail, at - 12), 56)
    if (end.getUint32(0, true) !== signatures.largeEnd) break
    return [large(end, 48), large(end, 40)]
  }
  throw new DamagedZip("It has no directory.")
}

/** The entries by name: lower case, with slashes. */
export async function readZip(file: Blob): Promise<ReadonlyMap<string, ZipEntry>> {
  const [from, length] = await findDirectory(file)
  const view = await viewOf(file, from, length)
  const decoder = new TextDecoder()
  const entries = new Map<string, ZipEntry>()
  for (let at = 0; at + 46 <= length;) {
    if (view.getUint32(at, true) !== signatures.entry) throw new DamagedZip("Its directory is unreadable.")
    const nameBytes = view.getUint16(at + 28, true)
    const extraBytes = view.getUint16(at + 30, true)
    const next = at + 46 + nameBytes + extraBytes + view.getUint16(at + 32, true)
    if (next > length) throw new DamagedZip("Its directory ends early.")
    const name = decoder.decode(new Uint8Array(view.buffer, at + 46, nameBytes))
    const extra = new DataView(view.buffer, at + 46 + nameBytes, extraBytes)
    const [size = 0, packed = 0, offset = 0] = withLargeFields(extra, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ])
    entries.set(name.replaceAll("\\", "/").toLowerCase(), {
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      checksum: view.getUint32(at + 16, true),
      packed,
      size,
      offset,
    })
    at = next
  }
  return entries
}

/** The fields, those that are too large from the zip64 part. */
function withLargeFields(extra: DataView, fields: readonly number[]): readonly number[] {
  if (!fields.includes(inLargePart)) return fields
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue
    let place = at + 4
    return fields.map((field) => {
      if (field !== inLargePart) return field
      if (place + 8 > extra.byteLength) throw new DamagedZip("Its directory is unreadable.")
      place += 8
      return large(extra, place - 8)
    })
  }
  return fields
}

/** The bytes of an entry as they are unpacked. The stream fails with a TypeError if they are not those of its checksum. */
export async function openEntry(file: Blob, entry: ZipEntry): Promise<ReadableStream<Uint8Array>> {
  const head = await viewOf(file, entry.offset, 30)
  if (head.getUint32(0, true) !== signatures.local) throw new DamagedZip("A part is not where it should be.")
  const from = entry.offset + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const packed = new Uint8Array(await file.slice(from, from + entry.packed).arrayBuffer())
  if (packed.length < entry.packed) throw new DamagedZip("The file ends early.")
  if (entry.method === stored) {
    const { checksum } = await deflate(packed)
    if (checksum !== entry.checksum) throw new DamagedZip("A part differs from its checksum.")
    return streamOf([packed])
  }
  if (entry.method !== deflated)
    throw new DamagedZip(`A part is packed in a way (${entry.method}) that is not read.`)
  const end = new DataView(new ArrayBuffer(gzipEnd))
  end.setUint32(0, entry.checksum, true)
  end.setUint32(4, entry.size % 2 ** 32, true)
  return streamOf([gzipHead, packed, new Uint8Array(end.buffer)]).pipeThrough(new DecompressionStream("gzip"))
}

function streamOf(parts: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

interface Deflated {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly checksum: number
  readonly size: number
}

/** Packs what is written, part by part. */
export function createDeflater() {
  const stream = new CompressionStream("gzip")
  const writer = stream.writable.getWriter()
  const packed = new Response(stream.readable).arrayBuffer()
  return {
    write: (bytes: Uint8Array<ArrayBuffer>) => writer.write(bytes),
    async end(): Promise<Deflated> {
      await writer.close()
      const all = await packed
      const view = new DataView(all, all.byteLength - gzipEnd)
      const bytes = new Uint8Array(all, gzipHead.length, all.byteLength - gzipHead.length - gzipEnd)
      return { bytes, checksum: view.getUint32(0, true), size: view.getUint32(4, true) }
    },
  }
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Deflated> {
  const deflater = createDeflater()
  await deflater.write(bytes)
  return deflater.end()
}

const encoder = new TextEncoder()

/** 1 January 1980, the first day that a zip file can name: equal contents are equal files. */
const day = 0x21

/** A zip file of texts and of parts that are packed already. */
export async function writeZip(files: Readonly<Record<string, string | Deflated>>): Promise<Blob> {
  const parts: (Uint8Array<ArrayBuffer> | DataView<ArrayBuffer>)[] = []
  const directory: typeof parts = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const { bytes, checksum, size } =
      typeof content === "string" ? await deflate(encoder.encode(content)) : content
    const nameBytes = encoder.encode(name)
    // Version 2.0, no flags, and the fields that both headers have.
    const fields = new DataView(new ArrayBuffer(26))
    fields.setUint16(0, 20, true)
    fields.setUint16(4, deflated, true)
    fields.setUint16(8, day, true)
    fields.setUint32(10, checksum, true)
    fields.setUint32(14, bytes.length, true)
    fields.setUint32(18, size, true)
    fields.setUint16(22, nameBytes.length, true)
    const rest = new DataView(new ArrayBuffer(14))
    rest.setUint32(10, offset, true)
    parts.push(numbers(signatures.local), fields, nameBytes, bytes)
    directory.push(numbers(signatures.entry), Uint8Array.of(20, 0), fields, rest, nameBytes)
    offset += 30 + nameBytes.length + bytes.length
  }
  const count = Object.keys(files).length
  const length = directory.reduce((sum, part) => sum + part.byteLength, 0)
  const end = numbers(signatures.end, 0, count * 0x10001, length, offset, 0)
  return new Blob([...parts, ...directory, new Uint8Array(end.buffer, 0, endBytes)])
}

function numbers(...values: readonly number[]): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.length * 4))
  for (const [at, value] of values.entries()) view.setUint32(at * 4, value, true)
  return view
}
