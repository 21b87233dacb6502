import type { IncomingMessage, ServerResponse } from "node:http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { DeskAnswer } from "../../core/http.ts"

const compress = promisify(gzip)
/** Below this many bytes compressing saves no packet. */
const worthCompressing = 1_400

/** Compressed bodies of answers that are kept and sent again: the cache hands out the same object each time. */
const compressed = new WeakMap<object, Promise<Buffer>>()

/**
 * Sends an answer of the desk as JSON; larger ones compressed, off the main thread.
 * @param head further headers, names and values in turn
 */
export async function sendAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  answer: DeskAnswer,
  head: readonly string[] = [],
): Promise<void> {
  if (res.headersSent || res.destroyed) return
  const headers = [...head]
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? "")
  if (!("Cache-Control" in answer.headers)) headers.push("Cache-Control", "no-store")
  if (answer.body === undefined) {
    res.writeHead(answer.status, headers).end()
    return
  }
  headers.push("Content-Type", "application/json; charset=utf-8", "Vary", "Accept-Encoding")
  const plain = answer.bytes ?? Buffer.from(JSON.stringify(answer.body))
  if (plain.length >= worthCompressing && takesGzip(req.headers["accept-encoding"])) {
    const body = await shrunk(answer, plain)
    if (res.destroyed) return
    headers.push("Content-Encoding", "gzip", "Content-Length", String(body.length))
    res.writeHead(answer.status, headers).end(body)
    return
  }
  headers.push("Content-Length", String(plain.length))
  res.writeHead(answer.status, headers).end(plain)
}

/** Whether a browser names gzip, or anything, and not only to refuse it. */
function takesGzip(acceptEncoding: string | undefined): boolean {
  return (
    acceptEncoding !== undefined &&
    /(?:^|[\s,])(?:gzip|\*)\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/i.test(acceptEncoding)
  )
}

function shrunk(answer: DeskAnswer, plain: Uint8Array): Promise<Buffer> {
  // Only an answer that comes with its bytes is a kept one.
  const kept = answer.bytes !== undefined && typeof answer.body === "object" && answer.body !== null
  const known = kept ? compressed.get(answer.body) : undefined
  if (known !== undefined) return known
  const made = compress(plain, { level: 4 })
  if (kept) compressed.set(answer.body, made)
  return made
}
