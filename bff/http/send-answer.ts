import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { Request, Response } from "express"
import type { DeskAnswer } from "../core/http.ts"

const compress = promisify(gzip)
/** Below this many bytes compressing saves no packet. */
const worthCompressing = 1_400

/** Compressed bodies of answers that are kept and sent again: the cache hands out the same object each time. */
const compressed = new WeakMap<object, Promise<Buffer>>()

/** Sends an answer of the desk as JSON; larger ones compressed, off the main thread. */
export async function sendAnswer(req: Request, res: Response, answer: DeskAnswer): Promise<void> {
  if (res.headersSent || res.destroyed) return
  res.status(answer.status)
  if (!("Cache-Control" in answer.headers)) res.setHeader("Cache-Control", "no-store")
  for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value)
  if (answer.body === undefined) {
    res.end()
    return
  }
  res.setHeader("Content-Type", "application/json; charset=utf-8")
  res.vary("Accept-Encoding")
  const plain = answer.text ?? JSON.stringify(answer.body)
  const bytes = Buffer.byteLength(plain)
  if (bytes >= worthCompressing && req.acceptsEncodings("gzip") === "gzip") {
    const body = await shrunk(answer, plain)
    res.setHeader("Content-Encoding", "gzip")
    res.setHeader("Content-Length", body.length)
    res.end(body)
    return
  }
  // Text leaves in one piece with the headers.
  res.setHeader("Content-Length", bytes)
  res.end(plain)
}

function shrunk(answer: DeskAnswer, plain: string): Promise<Buffer> {
  // Only an answer that comes with its text is a kept one.
  const kept = answer.text !== undefined && typeof answer.body === "object" && answer.body !== null
  const known = kept ? compressed.get(answer.body) : undefined
  if (known !== undefined) return known
  const made = compress(plain, { level: 4 })
  if (kept) compressed.set(answer.body, made)
  return made
}
