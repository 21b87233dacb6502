/** The reference: http-proxy-middleware with a keep-alive agent in Express. Run with PORT and TARGET. */
import { Agent } from "node:http"
import express from "express"
import { createProxyMiddleware } from "http-proxy-middleware"

const app = express()
app.use(
  createProxyMiddleware({
    target: process.env.TARGET ?? "",
    agent: new Agent({ keepAlive: true, maxSockets: 64 }),
    changeOrigin: true,
  }),
)
app.listen(Number(process.env.PORT), "127.0.0.1", () => {
  process.stdout.write("ready\n")
})
