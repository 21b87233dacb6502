import { useEffect, useEffectEvent, useRef, useState } from "react"
import { Notice } from "../../../ui/notice.tsx"
import classes from "./ship.module.css"
import { Button } from "../../../ui/button.tsx"

interface Detector {
  detect(
    video: HTMLVideoElement,
  ): Promise<readonly { readonly rawValue: string; readonly boundingBox: DOMRectReadOnly }[]>
}

declare global {
  interface Window {
    /** Only some browsers have it. */
    BarcodeDetector?: {
      new (options: { formats: readonly string[] }): Detector
      getSupportedFormats(): Promise<readonly string[]>
    }
  }
}

/** Reads the code in the middle of the picture, if there is one. */
type ReadCode = (video: HTMLVideoElement) => Promise<string | undefined>

/**
 * The formats of order and parcel numbers. They have start and stop marks, so a part is never read as a number; the
 * square codes on labels contain more than the number.
 */
const formats = ["code_128", "code_39", "code_93"] as const

/** Interval between two reads of the picture, in ms. */
const lookEvery = 100
/** How long a code has to be out of view before it counts as scanned again, in ms. */
const awayFor = 3000

/** Scans with the camera while it is rendered. */
export function CameraScan({ onRead }: { onRead: (text: string) => void }) {
  const [tries, setTries] = useState(1)
  const [failed, setFailed] = useState<{ readonly why: unknown } | null>(null)
  if (failed === null) return <Picture key={tries} onRead={onRead} onTrouble={(why) => setFailed({ why })} />
  const [title, text] = words(failed.why)
  const tryAgain = () => {
    setFailed(null)
    setTries(tries + 1)
  }
  return (
    <Notice
      tone="danger"
      title={title}
      action={
        <Button size="xs" onClick={tryAgain}>
          Try again
        </Button>
      }
    >
      {text} Scanner and keyboard work as before.
    </Notice>
  )
}

function Picture(props: { onRead: (text: string) => void; onTrouble: (why: unknown) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [isReading, setIsReading] = useState(false)
  const onRead = useEffectEvent(props.onRead)
  const onTrouble = useEffectEvent(props.onTrouble)
  useEffect(() => {
    if (video.current === null) return undefined
    const closing = new AbortController()
    const { signal } = closing
    const hears = { onStart: () => setIsReading(true), onRead: (text: string) => onRead(text) }
    watch(video.current, signal, hears).catch((why: unknown) => {
      if (!signal.aborted) onTrouble(why)
    })
    return () => closing.abort()
  }, [])
  return (
    <figure className={classes.camera}>
      <video ref={video} muted playsInline aria-label="Camera picture" />
      <figcaption className="caption" aria-live="polite">
        {isReading ? "Hold the barcode across the middle of the picture." : "Starting the camera…"}
      </figcaption>
    </figure>
  )
}

/** Why there is no picture: the problem and what to do. */
function words(trouble: unknown): readonly [title: string, text: string] {
  switch (trouble instanceof DOMException ? trouble.name : "") {
    case "NotAllowedError":
    case "SecurityError":
      return ["The camera is blocked", "Allow it for this page in the browser’s settings, then try again."]
    case "NotFoundError":
    case "OverconstrainedError":
      return ["No camera was found", "Connect one, then try again."]
    case "NotReadableError":
    case "AbortError":
      return ["The camera can’t be used now", "Another app may be using it. Close that app, then try again."]
    default:
      return ["The camera couldn’t be started", "Check the connection, then try again."]
  }
}

/** Shows the camera's picture and reports the codes read in it. @throws when there is no picture, or it ends */
async function watch(
  video: HTMLVideoElement,
  signal: AbortSignal,
  { onStart, onRead }: { onStart: () => void; onRead: (text: string) => void },
): Promise<void> {
  const wanted = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } }
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  try {
    signal.throwIfAborted()
    signal.addEventListener("abort", stop)
    video.srcObject = stream
    await video.play()
    const read = (await browserReader()) ?? (await libraryReader())
    onStart()
    const news = createSightings()
    while (!signal.aborted) {
      if (!stream.active) throw new DOMException("The camera is gone.", "NotFoundError")
      const text = news(await read(video), performance.now())
      if (text !== undefined && !signal.aborted) onRead(text)
      await new Promise((resolve) => setTimeout(resolve, lookEvery))
    }
  } finally {
    stop()
  }
}

/** The browser's own reader; undefined when it has none or none for our formats. */
async function browserReader(): Promise<ReadCode | undefined> {
  const offered = (await window.BarcodeDetector?.getSupportedFormats()) ?? []
  const ours = formats.filter((format) => offered.includes(format))
  if (window.BarcodeDetector === undefined || ours.length === 0) return undefined
  const detector = new window.BarcodeDetector({ formats: ours })
  return async (video) => {
    const fromMiddle = ({ boundingBox: { x, y, width, height } }: { boundingBox: DOMRectReadOnly }) =>
      Math.hypot(x + (width - video.videoWidth) / 2, y + (height - video.videoHeight) / 2)
    const found = await detector.detect(video)
    return found.toSorted((one, other) => fromMiddle(one) - fromMiddle(other))[0]?.rawValue
  }
}

/** A library, loaded only when the browser has no reader: it reads lines across the middle. */
async function libraryReader(): Promise<ReadCode> {
  const zxing = await import("@zxing/library")
  const { BarcodeFormat, BinaryBitmap, DecodeHintType, GlobalHistogramBinarizer, RGBLuminanceSource } = zxing
  const { CODE_128, CODE_39, CODE_93 } = BarcodeFormat
  const reader = new zxing.MultiFormatOneDReader(
    new Map([[DecodeHintType.POSSIBLE_FORMATS, [CODE_128, CODE_39, CODE_93]]]),
  )
  const canvas = document.createElement("canvas")
  const context = canvas.getContext("2d", { willReadFrequently: true })
  return async (video) => {
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
