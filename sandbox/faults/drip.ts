/** Sends an answer in pieces spread over some ms. */
export async function dripped(
  response: Response,
  ms: number,
  wait: (ms: number, signal?: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const pieces = Math.max(1, Math.min(20, bytes.length))
  const size = Math.ceil(bytes.length / pieces)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await wait(Math.ceil(ms / pieces), signal)
      controller.enqueue(bytes.slice(sent, sent + size))
      sent += size
      if (sent >= bytes.length) controller.close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
