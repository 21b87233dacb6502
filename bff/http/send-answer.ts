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
  const plain = Buffer.from(answer.text ?? JSON.stringify(answer.body))
  res.vary("Accept-Encoding")
  const shrinks = plain.length >= worthCompressing && req.acceptsEncodings("gzip") === "gzip"
  const body = shrinks ? await shrunk(answer, plain) : plain
  if (shrinks) res.setHeader("Content-Encoding", "gzip")
  res.setHeader("Content-Length", body.length)
  res.end(body)
}

function shrunk(answer: DeskAnswer, plain: Buffer): Promise<Buffer> {
  // Only an answer that comes with its text is a kept one.
  const kept = answer.text !== undefined && typeof answer.body === "object" && answer.body !== null
  const known = kept ? compressed.get(answer.body) : undefined
  if (known !== undefined) return known
  const made = compress(plain, { level: 4 })
  if (kept) compressed.set(answer.body, made)
  return made
}
