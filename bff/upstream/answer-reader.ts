import type { UpstreamCall } from "../../core/ports.ts"
import {
  type ArrivedResponse,
  keyHider,
  mayHoldSecrets,
  parseUpstreamResponse,
} from "../../core/gateway/upstream-response.ts"

/** Most bytes of answers that are remembered for one service. */
const rememberedBytes = 8_000_000

/** Reads an answer that arrived whole. `question` names a read, which may be answered as it was before. */
export type AnswerReader = (
  status: number,
  bytes: Buffer,
  question: string | undefined,
  onSecret?: UpstreamCall["onSecret"],
) => ArrivedResponse

interface Remembered {
  readonly bytes: Buffer
  readonly answer: ArrivedResponse
}

/**
 * Makes the reader of a service's answers. Lists mostly come again byte for byte: such an answer is the very object
 * it was the last time, so that nothing that was made of it has to be made again. Only what certainly holds no
 * secret is remembered.
 */
export function createAnswerReader(apiKey: string): AnswerReader {
  const hideKey = keyHider(apiKey)
  const last = new Map<string, Remembered>()
  let size = 0

  function forget(question: string): void {
    size -= last.get(question)?.bytes.length ?? 0
    last.delete(question)
  }

  function remember(question: string, bytes: Buffer, answer: ArrivedResponse): void {
    // The bytes are a piece of a much larger buffer that the network fills.
    last.set(question, { bytes: Buffer.from(bytes), answer })
    size += bytes.length
    for (const oldest of last.keys()) {
      if (size <= rememberedBytes) break
      forget(oldest)
    }
  }

  return (status, bytes, question, onSecret) => {
    const before = question === undefined ? undefined : last.get(question)
    if (before?.answer.status === status && before.bytes.equals(bytes)) return before.answer
    const came = bytes.toString("utf8")
    const text = hideKey(came)
    const mayHold = mayHoldSecrets(text)
    const answer = parseUpstreamResponse(status, text, mayHold, onSecret)
    if (question !== undefined) {
      forget(question)
      if (status === 200 && answer.kind === "answer" && text === came && !mayHold)
        remember(question, bytes, answer)
    }
    return answer
  }
}
