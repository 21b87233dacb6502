import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { Request, Response } from "express"
import type { DeskAnswer } from "../core/http.ts"

const compress = promisify(gzip)
/** Below this many bytes compressing saves no packet. */
const worthCompressing = 1_400

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
  const plain = Buffer.from(JSON.stringify(answer.body))
  res.vary("Accept-Encoding")
  const shrinks = plain.length >= worthCompressing && req.acceptsEncodings("gzip") === "gzip"
  const body = shrinks ? await compress(plain, { level: 4 }) : plain
  if (shrinks) res.setHeader("Content-Encoding", "gzip")
  res.setHeader("Content-Length", body.length)
  res.end(body)
}
