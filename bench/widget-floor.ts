/**
 * A browser's own time for a page whose script opens a frame of another origin: no stylesheet, no texts, no checkout,
 * one input. Nothing that shows a card in a frame can be faster.
 */
import { type HttpListener, listen } from '../src/gateway/server/http/listen.ts';

const HOST = '127.0.0.1';

const script = `
addEventListener('message', () => { ready = performance.now(); window.told?.() })
const frame = document.createElement('iframe')
frame.src = new URL('frame', document.currentScript.src).href
document.body.append(frame)`;

const frame = '<!doctype html><title>Card</title><body><input><script>parent.postMessage(0, "*")</script>';

/** The address of its script. */
export const serveFloor = async (): Promise<{ script: string; close: HttpListener['close'] }> => {
  const fetch = async ({ url }: Request): Promise<Response> =>
    new URL(url).pathname === '/frame'
      ? new Response(frame, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      : new Response(script, { headers: { 'content-type': 'text/javascript; charset=utf-8' } });
  const refuse = (status: number, reason: string): Response => new Response(reason, { status });
  const { port, close } = await listen({ app: { fetch, refuse }, port: 0, host: HOST });
  return { script: `http://${HOST}:${port}/floor.js`, close };
};
