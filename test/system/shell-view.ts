/**
 * The desktop app's window over Chromium: its page runs in a real process, which can be killed. A port on this machine
 * stands in for the scheme `till:`.
 */
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BrowserWindow } from 'electron';
import { PAGE } from '../../electron/shell.ts';
import type { Browser } from '../support/screens/browser.ts';

export type View = Awaited<ReturnType<typeof openView>>;

type Answer = (request: Request) => Promise<Response>;

/** Passes on one request of the page, as the window's scheme does. A broken stream breaks for the page, too. */
const forward = async (answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = 'GET', url = '/', headers } = request;
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  const body = method === 'GET' ? {} : { body: Readable.toWeb(request), duplex: 'half' };
  const init = { method, headers, signal: controller.signal, ...body } as RequestInit;
  const { status, headers: answerHeaders, body: answerBody } = await answer(new Request(new URL(url, PAGE), init));
  response.writeHead(status, Object.fromEntries(answerHeaders));
  if (answerBody === null) response.end();
  else await pipeline(answerBody, response).catch(() => response.destroy());
};

const serve = async (answer: Answer) => {
  const server = createServer((request, response) => void forward(answer, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}/`, server };
};

/** A page that shows nothing yet. */
export const openView = async (browser: Browser, answer: Answer) => {
  const { origin, server } = await serve(answer);
  const page = await browser.newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Inspector.enable');
  const loads: string[] = [];
  const load = async (url: string): Promise<void> => {
    loads.push(url);
    await devtools.send('Page.navigate', { url: url.replace(PAGE, origin) });
  };
  const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler() {} });
  devtools.on('Inspector.targetCrashed', () =>
    contents.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 }),
  );
  /** The window as the shell sees it. */
  class Window extends EventEmitter {
    readonly webContents = contents;
    loadURL = load;
    removeMenu = (): void => {};
    isDestroyed = (): boolean => false;
    reload(): void {
      loads.push('reload');
      void devtools.send('Page.reload');
    }
  }
  return {
    Window: Window as unknown as typeof BrowserWindow,
    /** What was loaded, in order. */
    loads,
    /** The text of the page; empty while there is no page. */
    async text(): Promise<string> {
      const { result } = await devtools.send('Runtime.evaluate', { expression: 'document.body.innerText' });
      return String(result.value ?? '');
    },
    /** Ends the page's process as the system ends one that runs out of memory. */
    async kill(): Promise<void> {
      const system = await browser.newBrowserCDPSession();
      const { processInfo } = await system.send('SystemInfo.getProcessInfo');
      for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
      await system.detach();
    },
    async close(): Promise<void> {
      await page.close();
      server.closeAllConnections();
      server.close();
    },
  };
};
