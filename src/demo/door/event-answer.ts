import type { DeskEvent } from "../../../contract/status.ts"
import { eventVisibleTo } from "../../../core/resources/access.ts"
import type { DemoWorld } from "../demo-world.ts"

/** How long a browser waits before it opens a broken stream again, in ms. */
const retryMs = 2000

/**
 * `GET /api/events`: the bus of this tab as an event stream, as far as the role of who is signed in may hear. It
 * ends with the session.
 */
export function eventAnswer(world: DemoWorld, userId: string): Response {
  // Where a stream cannot be handed to the worker it would never begin: no stream then, pages read by themselves.
  if (!canHandOverStreams()) return new Response(null, { status: 204 })
  const encoder = new TextEncoder()
  let unsubscribe: (() => void) | undefined
  let ended = false
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text))
      const deliver = async (event: DeskEvent) => {
        const user = world.session === userId ? world.accounts.active(userId) : undefined
        if (user === undefined) {
          unsubscribe?.()
          ended = true
          controller.close()
          return
        }
        const heard = await eventVisibleTo(user, event, world.jobs)
        if (heard !== undefined && !ended) write(`data: ${JSON.stringify(heard)}\n\n`)
      }
      write(`retry: ${retryMs}\n\n`)
      unsubscribe = world.events.subscribe((event) => void deliver(event))
    },
    cancel: () => {
      ended = true
      unsubscribe?.()
    },
  })
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" },
  })
}

/** Whether this browser can give a stream to a service worker; Safari could not for long. */
function canHandOverStreams(): boolean {
  try {
    const stream = new ReadableStream()
    const { port1, port2 } = new MessageChannel()
    port1.postMessage(stream, [stream])
    port1.close()
    port2.close()
    return true
  } catch {
    return false
  }
}
