import { useEffect, useEffectEvent, useRef, useState } from "react"
import { Notice } from "../../../ui/notice.tsx"
import classes from "./ship.module.css"
import { Button } from "../../../ui/button.tsx"

/** Interval between two reads of the picture, in ms. */
const lookEvery = 100
/** How long a code has to be out of view before it counts as scanned again, in ms. */
const awayFor = 3000

/** Scans with the camera while it is rendered. */
export function CameraScan(props: { onRead: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<"starting" | "reading" | { readonly failed: unknown }>("starting")
  const isFailed = typeof state === "object"
  const onRead = useEffectEvent(props.onRead)
  useEffect(() => {
    if (isFailed || video.current === null) return undefined
    const closing = new AbortController()
    const { signal } = closing
    watch(
      video.current,
      signal,
      () => setState("reading"),
      (text) => onRead(text),
    ).catch((failed: unknown) => {
      if (!signal.aborted) setState({ failed })
    })
    return () => closing.abort()
  }, [isFailed])
  if (isFailed) {
    const [title, text] = failureText(state.failed)
    const action = (
      <Button size="xs" onClick={() => setState("starting")}>
        Try again
      </Button>
    )
    return (
      <Notice tone="danger" title={title} action={action}>
        {text} Scanner and keyboard work as before.
      </Notice>
    )
  }
  return (
    <figure className={classes.camera}>
      <video ref={video} muted playsInline aria-label="Camera picture" />
      <figcaption className="caption" aria-live="polite">
        {state === "reading" ? "Hold the barcode across the middle of the picture." : "Starting the camera…"}
      </figcaption>
    </figure>
  )
}

/** Why there is no picture: the problem and what to do. */
function failureText(failed: unknown): readonly [title: string, text: string] {
  switch (failed instanceof DOMException ? failed.name : "") {
    case "NotAllowedError":
    case "SecurityError":
      return ["The camera is blocked", "Allow it for this page in the browser’s settings, then try again."]
    case "NotFoundError":
    case "OverconstrainedError":
      return ["No camera was found", "Connect one, then try again."]
    default:
      return [
        "The camera couldn’t be started",
        "Another app may be using it. Close that app, then try again.",
      ]
  }
}

/** Shows the camera's picture and reports the codes read in it. @throws when there is no picture, or it ends */
async function watch(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onStart: () => void,
  onRead: (text: string) => void,
): Promise<void> {
  const wanted = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } }
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted })
  try {
    video.srcObject = stream
    await video.play()
    const read = await barcodeReader()
    onStart()
    const sightings = createSightings()
    while (!signal.aborted) {
      if (!stream.active) throw new DOMException("The camera is gone.", "NotFoundError")
      const text = sightings(read(video), performance.now())
      if (text !== undefined) onRead(text)
      await new Promise((resolve) => setTimeout(resolve, lookEvery))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}

/**
 * Reads the code across the middle of the picture, if there is one: order and parcel numbers only. Their formats have
 * start and stop marks, so a part is never read as a number; the square codes on labels contain more than the number.
 */
async function barcodeReader() {
  const zxing = await import("@zxing/library")
  const { BarcodeFormat, BinaryBitmap, DecodeHintType, GlobalHistogramBinarizer, RGBLuminanceSource } = zxing
  const { CODE_128, CODE_39, CODE_93 } = BarcodeFormat
  const reader = new zxing.MultiFormatOneDReader(
    new Map([[DecodeHintType.POSSIBLE_FORMATS, [CODE_128, CODE_39, CODE_93]]]),
  )
  const canvas = document.createElement("canvas")
  const context = canvas.getContext("2d", { willReadFrequently: true })
  return (video: HTMLVideoElement): string | undefined => {
    const { videoWidth: width, videoHeight: height } = video
    if (context === null || width === 0) return undefined
    Object.assign(canvas, { width, height })
    context.drawImage(video, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    const grey = new RGBLuminanceSource(new Int32Array(data.buffer), width, height)
    try {
      return reader.decode(new BinaryBitmap(new GlobalHistogramBinarizer(grey))).getText()
    } catch {
      // It throws when it finds none.
      return undefined
    }
  }
}

/**
 * Decides which codes read in pictures count as a scan: read twice alike, since a blurred picture may be misread, and
 * out of view before. `at` in ms.
 */
export function createSightings() {
  const seenAt = new Map<string, number>()
  let before: string | undefined
  return (text: string | undefined, at: number): string | undefined => {
    if (text === undefined) return undefined
    const isSure = text === before
    before = text
    const isNew = at - (seenAt.get(text) ?? -Infinity) > awayFor
    if (isNew && !isSure) return undefined
    seenAt.set(text, at)
    return isNew ? text : undefined
  }
}
