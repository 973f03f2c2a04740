/**
 * A gateway behind a proxy that adds TLS and a path, and a merchant's page on another site: shoppers, their banks and
 * webhooks all reach it. By night in every engine; `test/system/engines.test.ts` pays in each by day.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpListener, listen } from '../../src/gateway/server/http/listen.ts';
import { openReceiver, type Receiver, secret } from '../gateway/webhooks/receiver.ts';
import { openEngine } from '../support/engines/engine.ts';
import { type Engine, type EngineName, type EnginePage, engines, type Visit } from '../support/engines/page.ts';
import { answerChallenge, pay, typeCard } from '../support/engines/shopper.ts';
import { entityId, idOf, type Parameters, payment, type Reply, replyOf, token } from '../support/gateway/gateway.ts';
import { type GatewayProcess, startGateway } from '../support/gateway/gateway-process.ts';
import { byNight } from '../support/night/night.ts';
import { openTlsProxy, type TlsProxy, type TlsProxyOptions } from '../support/servers/tls-proxy.ts';

const PATH = '/shop/pay';
const CHALLENGE = '4200000000000042';

/** The merchant's pages, to pay on and to return to. */
let server: HttpListener;
let payPage = '';
let thanks = '';
beforeAll(async () => {
  const fetchPage = async ({ url }: Request): Promise<Response> =>
    new Response(url.endsWith('/pay') ? payPage : '<!doctype html><title>Thanks</title>', {
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
  const failedResponse = (status: number, reason: string): Response => new Response(reason, { status });
  server = await listen({ app: { fetch: fetchPage, refuse: failedResponse }, port: 0, host: '127.0.0.1' });
  thanks = `http://localhost:${server.port}/thanks`;
});
afterAll(() => server.close());

/** The merchant's program, calling through the proxy, whose certificate is self-signed. */
const send = async (url: string, parameters?: Parameters): Promise<Reply> => {
  const form = new URLSearchParams({ entityId, ...parameters }).toString();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const method = parameters === undefined ? 'GET' : 'POST';
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
    const target = parameters === undefined ? `${url}?${form}` : url;
    const outgoing = request(target, { method, headers, rejectUnauthorized: false }, resolve);
    outgoing.once('error', reject);
    outgoing.end(parameters === undefined ? undefined : form);
  });
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  return replyOf(new Response(text, { status: answer.statusCode ?? 500 }));
};

type Proxy = [string, Omit<TlsProxyOptions, 'path'>, (base: string) => readonly string[]];
const proxies: readonly Proxy[] = [
  ['whose address is configured', { takesPathOff: false, addsForwarded: false }, (base) => ['--public-url', base]],
  ['that sends its own address, and strips its path', { takesPathOff: true, addsForwarded: true }, () => []],
];
const names = byNight<readonly EngineName[]>({ day: ['chromium'], night: engines });

describe.each(names.flatMap((name) => proxies.map(([title, how, flags]) => ({ name, what: title, how, flags }))))(
  'in $name behind a proxy $what',
  ({ name, how, flags }) => {
    let folder: string;
    let proxy: TlsProxy;
    let gateway: GatewayProcess;
    let receiver: Receiver;
    let engine: Engine;
    let visit: Visit;
    let page: EnginePage;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'behind-proxy-'));
      const config = join(folder, 'gateway.json');
      writeFileSync(config, JSON.stringify({ channels: [{ entityId, token, threeDSecure: { enabled: true } }] }));
      proxy = await openTlsProxy({ path: PATH, ...how });
      const proxyFlags = ['--trusted-proxy', '127.0.0.1', ...flags(proxy.address), '--allow-private-urls'];
      gateway = await startGateway(join(folder, 'data'), [], ['--config', config, ...proxyFlags]);
      proxy.leadTo(gateway.port);
      receiver = await openReceiver();
      const webhook = { 'webhook.url': receiver.url, 'webhook.secret': secret, 'webhook.types': 'PAYMENT' };
      expect(await send(`${proxy.address}/v1/webhooks`, webhook)).toMatchObject({ status: 200 });
      engine = await openEngine(name);
      visit = await engine.visit();
      page = visit.page;
      page.setDefaultTimeout(20_000);
    });
    afterAll(async () => {
      await engine.close();
      await gateway.end('SIGTERM');
      await receiver.close();
      await proxy.close();
      rmSync(folder, { recursive: true });
    });

    const beginCheckout = async (parameters: Parameters) => {
      const reply = await send(`${proxy.address}/v1/payments`, { ...parameters, shopperResultUrl: thanks });
      const { url } = reply.body['redirect'] as { url: string };
      expect(url.slice(0, proxy.address.length + 4)).toBe(`${proxy.address}/v1/`);
      return { id: idOf(reply), url };
    };
    const backWith = async (id: string): Promise<Reply> => {
      await page.waitForURL(/thanks/);
      const path = new URL(await visit.address()).searchParams.get('resourcePath') ?? '';
      expect(path).toContain(id);
      return send(`${proxy.address}${path}`);
    };
    const confirm = async (): Promise<void> => {
      await page.getByLabel('Code from your bank').waitFor();
      expect(await visit.address()).toContain(`${proxy.address}/v1/simulators/acs/challenge/`);
      await answerChallenge(page);
    };

    test('a shopper with a challenge returns, and the webhooks name the address they were sent to', async () => {
      const { id, url } = await beginCheckout(payment({ 'card.number': CHALLENGE }));
      await page.goto(url);
      await confirm();
      expect(await backWith(id)).toMatchObject({ code: '000.100.110', body: { threeDSecure: { flow: 'challenge' } } });
      // The webhooks for the activation, the start and the ending.
      await receiver.count(3);
      const [, pending, completed] = receiver.received.map((each) => each.notification.payload);
      expect(pending).toMatchObject({ id, redirect: { url } });
      expect(completed).toMatchObject({ id, result: { code: '000.100.110' } });
      expect(visit.consoleLines()).toEqual([]);
    });

    test('a shopper who is redirected to a bank returns', async () => {
      const bank = { amount: '10.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'SOFORTUEBERWEISUNG' };
      const { id, url } = await beginCheckout(bank);
      await page.goto(url);
      await page.getByRole('button', { name: /^Yes/ }).click();
      expect(await backWith(id)).toMatchObject({ code: '000.100.110' });
      expect(visit.consoleLines()).toEqual([]);
    });

    test('the widget loads its files, its frame and the challenge', async () => {
      const order = { amount: '12.90', currency: 'EUR', paymentType: 'DB' };
      const id = idOf(await send(`${proxy.address}/v1/checkouts`, order));
      const script = `${proxy.address}/v1/paymentWidgets.js?checkoutId=${id}`;
      const form = `<form action="${thanks}" class="paymentWidgets" data-brands="VISA"></form>`;
      payPage = `<!doctype html><html lang="en"><title>Pay</title>${form}<script src="${script}"></script></html>`;
      await page.goto(new URL('/pay', thanks).href);
      await typeCard(page, CHALLENGE);
      await pay(page);
      await confirm();
      expect(await backWith(id)).toMatchObject({ code: '000.100.110', body: { amount: '12.90' } });
      expect(visit.consoleLines()).toEqual([]);
    });
  },
);
