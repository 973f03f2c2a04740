/**
 * `npm start` as a process: its page and its API answer, it exits without interrupting a sale, and no other program
 * works in its folder meanwhile.
 */
import { existsSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import type { SessionState } from '../../src/api/contract/session.ts';
import { serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { folder, type Running, screensOf, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const amount = { amount: '12.50', currency: 'EUR' };
const shop = (): string => join(folder, 'shop');

const startTill = async (...flags: readonly string[]): Promise<{ till: Running; url: string; code: string }> => {
  const till = tillgate(['start', '--data', shop(), '--port', '0', '--no-open-browser', ...flags]);
  const line = await till.waitForOutput('listening on ');
  const { url, code } = await screensOf(till);
  expect(line).toBe(`listening on ${url}`);
  return { till, url, code };
};

/** A client in a browser: keeps the cookie, and sends the session's CSRF token. */
const visitor = async ({ url, code }: { url: string; code?: string }) => {
  let cookie = '';
  let csrf = '';
  const ask = async (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> => {
    const answer = await fetch(`${url}api/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf, cookie, ...headers },
    });
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return answer;
  };
  const reported = async <T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> =>
    (await ask(path, body, headers)).json() as Promise<T>;
  const readSession = async (): Promise<SessionState> => {
    const state = await reported<SessionState>('session');
    csrf = state.signedIn?.csrf ?? '';
    return state;
  };
  const sell = (key: string) => reported<LiveSale>('sales', { amount }, { 'idempotency-key': key });
  if (code !== undefined) await ask('session/code', { code });
  await readSession();
  return { ask, told: reported, look: readSession, sell };
};

/** Events from the stream until the wanted one, including those before it. */
const readEvents = async (answer: Response, until: (event: SaleEvent) => boolean): Promise<SaleEvent[]> => {
  const events: SaleEvent[] = [];
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data === undefined) continue;
      const event = JSON.parse(data) as SaleEvent;
      events.push(event);
      if (until(event)) return events;
    }
  }
  return events;
};
type SaleEvent = { on: string; sale?: LiveSale };

const hasEnded = ({ sale }: SaleEvent): boolean => sale?.result !== undefined;

test('the page and the API answer, and a sale gets its receipt', async () => {
  const { till, url, code } = await startTill();
  await till.waitForOutput('Test till: no money moves.');
  await till.waitForOutput('SIMULATED');
  const page = await fetch(url);
  expect(page.headers.get('content-security-policy')).toMatch(
    /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/,
  );
  const html = await page.text();
  expect(html).toContain('<div id="root">');
  expect(html).not.toMatch(/<script(?![^>]* src=)/);
  const etag = page.headers.get('etag') ?? '';
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
  const asset = await fetch(new URL(script, url));
  expect(asset.headers.get('cache-control')).toContain('immutable');
  expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
  // For a page without an icon the browser requests /favicon.ico, which does not exist.
  const [, icon = ''] = /<link rel="icon"[^>]* href="(\/[^"]+)"/.exec(html) ?? [];
  expect((await fetch(new URL(icon, url))).headers.get('content-type')).toBe('image/svg+xml');
  for (const path of ['assets/no-such.js', '.vite/manifest.json', '..%2f..%2fpackage.json', 'till.json'])
    expect((await fetch(url + path)).status).toBe(404);
  expect((await fetch(`${url}manager`)).headers.get('content-type')).toContain('text/html');

  expect((await (await visitor({ url })).look()).signedIn).toBeUndefined();
  const client = await visitor({ url, code });
  const stream = await client.ask('events');
  const sale = await client.sell('the-first-sale');
  expect(sale).toMatchObject({ receipt: 1, counter: 'T1', amount });
  expect(await client.sell('the-first-sale')).toMatchObject({ id: sale.id });
  const ending = (await readEvents(stream, hasEnded)).at(-1)?.sale;
  expect(ending?.result).toMatchObject({ ending: 'approved', state: 'approved' });
  const receipt = await client.ask('sales/1/receipt?form=text&copy=customer');
  expect(await receipt.text()).toContain('12.50');
  till.child.kill('SIGTERM');
  expect((await till.ended).code).toBe(0);
});

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s cancels the sale in progress, and waits for its ending',
  async (signal) => {
    const { till, ...at } = await startTill();
    const client = await visitor(at);
    const stream = await client.ask('events');
    await client.sell('a-sale-to-stop');
    till.child.kill(signal);
    const ending = (await readEvents(stream, hasEnded)).at(-1)?.sale?.result;
    const { code, err } = await till.ended;
    expect(code).toBe(0);
    expect(err).toContain('1 sale in progress: cancelling, and waiting for the end.');
    expect(['notSent', 'declined', 'approved']).toContain(ending?.ending);

    const restarted = await startTill();
    const [row] = (await (await visitor(restarted)).told<{ rows: LiveSale[] }>('sales')).rows;
    expect(row).toMatchObject({ receipt: 1, ending: ending?.ending });
    restarted.till.child.kill('SIGINT');
    const { err: output } = await restarted.till.ended;
    expect(output).not.toContain('The till was stopped in the middle of a sale');
  },
);

test('while it runs no other program can work in its folder, and is told why', async () => {
  const { till } = await startTill();
  for (const command of [['start', '--data', shop(), '--port', '0']]) {
    const { code, err } = await tillgate(command).ended;
    expect(code).toBe(5);
    expect(err).toMatch(/Another till already uses .*shop/);
    expect(err).toContain('Nothing was charged.');
  }
  till.child.kill('SIGTERM');
  await till.ended;
  expect((await tillgate(['till', 'sales', '--data', shop()]).ended).code).toBe(0);
});

test('a port that another program uses is reported', async () => {
  const { till, url } = await startTill();
  const otherTill = tillgate(['start', '--data', join(folder, 'other'), '--port', new URL(url).port]);
  const { code, err } = await otherTill.ended;
  expect(code).toBe(2);
  expect(err).toContain(`The till cannot listen on 127.0.0.1:${new URL(url).port}: another program has it`);
  till.child.kill('SIGTERM');
  await till.ended;
});

const statusOverSocket = (socketPath: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest({ socketPath, path: '/api/session', headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

test('on a socket file that only this user can open, and that is removed when the till stops', async () => {
  const socket = join(folder, 'till.sock');
  const run = async (): Promise<Running> => {
    const till = tillgate(['start', '--data', shop(), '--socket', socket]);
    expect(await till.waitForOutput('listening on ')).toBe(`listening on ${socket}`);
    return till;
  };
  const till = await run();
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(await statusOverSocket(socket, 'localhost')).toBe(200);
  expect(await statusOverSocket(socket, 'evil.example')).toBe(403);
  till.child.kill('SIGKILL');
  await till.ended;
  // The socket left behind by a dead till does not count as another till.
  const restarted = await run();
  restarted.child.kill('SIGTERM');
  expect((await restarted.ended).code).toBe(0);
  expect(existsSync(socket)).toBe(false);
});

test('training has its own folder, and is marked everywhere', async () => {
  const { till, ...at } = await startTill('--training');
  await till.waitForOutput('TRAINING');
  expect((await (await visitor(at)).look()).shop.mode).toBe('training');
  expect(existsSync(join(shop(), 'training', 'journal.db'))).toBe(true);
  expect(existsSync(join(shop(), 'journal.db'))).toBe(false);
  till.child.kill('SIGTERM');
  await till.ended;
});

test('a session that ends during a sale does not end the sale', async () => {
  const served = await serveTill({
    ...{ dataDir: shop(), at: { port: 0 }, version: '0', answerCheck, services: tillServices, simulate: 'mpi' },
    lockAfterMs: 600,
  });
  try {
    const ben = { name: 'Ben', pin: '8254' };
    const by = await served.running().staff.add({ name: 'Ana', role: 'manager', pin: '471193' });
    await served.running().staff.add({ ...ben, role: 'cashier' }, by);
    const client = await visitor({ url: served.address });
    await client.ask('session', ben);
    await client.look();
    const stream = await client.ask('events');
    const sale = await client.sell('begun-by-ben');
    const events = await readEvents(stream, () => false);
    expect(events.at(-1)).toEqual({ on: 'locked', mode: 'test' });
    expect(events.some(hasEnded)).toBe(false);
    expect((await client.ask('live')).status).toBe(401);

    // The session locks again and again while nobody uses it, until the sale has ended.
    for (;;) {
      await client.ask('session', ben);
      await client.look();
      const eventsResponse = await client.ask('events');
      const live = await client.told<LiveSale>(`live/${sale.id}`);
      if (live.result === undefined) await readEvents(eventsResponse, hasEnded);
      else {
        expect(live.result.ending).toBe('approved');
        break;
      }
    }
  } finally {
    await served.close();
  }
});
