/**
 * A real gateway on a TCP port with a scripted acquirer behind it, and a line to it that breaks on command: before a
 * request leaves, or after it arrived and before its answer is back.
 */
import type { Clock } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { openStore } from '../../../src/gateway/database/open.ts';
import { listen } from '../../../src/gateway/server/http/listen.ts';
import { gatewayApp } from '../../../src/gateway/server/http/server.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { openVault } from '../../../src/gateway/vault/vault.ts';
import type { Host, HostReply } from '../../../src/till/ports.ts';
import { entityId, token } from '../gateway/gateway.ts';
import { scriptedAcquirer } from '../gateway/scripted-acquirer.ts';

/**
 * down: nothing leaves. lost: the request arrives, but no answer comes. unheard: the same, but the till is told that
 * nothing left. deaf: the request leaves but never arrives.
 */
export type Line = 'up' | 'down' | 'lost' | 'unheard' | 'deaf';

export const troubledGateway = async (clock: Clock) => {
  const acquirer = scriptedAcquirer();
  const store = await openStore(':memory:');
  const app = gatewayApp({
    store,
    acquirer,
    clock,
    ids: systemIds,
    channels: [{ entityId, token, name: 'Corner Shop' }],
    secret: new Uint8Array(32).fill(7),
    vault: openVault(openKeyring({ at: { dataDir: ':memory:' }, random: systemRandom, clock }), systemRandom),
    patienceMs: 30_000,
    report: () => {},
  });
  /** Its answers carry its own time, as those of a remote gateway do. */
  const fetch = async (...request: Parameters<typeof app.fetch>): Promise<Response> => {
    const { body, status, headers } = await app.fetch(...request);
    const copied = new Headers(headers);
    copied.set('date', new Date(clock.now()).toUTCString());
    return new Response(body, { status, headers: copied });
  };
  const server = await listen({ app: { ...app, fetch }, port: 0, host: '127.0.0.1' });
  const line: { payments: Line; inquiries: Line } = { payments: 'up', inquiries: 'up' };

  const silent = (): HostReply => ({ kind: 'silent', fault: new Fault('host.silent', { why: 'the line was cut' }) });
  const notSentReply = (): HostReply => ({
    kind: 'notSent',
    fault: new Fault('host.unreachable', { why: 'the line is cut' }),
  });
  const sendOver = async (state: Line, send: () => Promise<HostReply>): Promise<HostReply> => {
    if (state === 'down') return notSentReply();
    if (state === 'deaf') return silent();
    const reply = await send();
    if (state === 'up') return reply;
    return state === 'lost' ? silent() : notSentReply();
  };

  return {
    acquirer,
    store,
    line,
    channel: { baseUrl: `http://127.0.0.1:${server.port}/`, entityId, token },
    /** Wraps the till’s own client, which calls this gateway over TCP. */
    around: (host: Host): Host => ({
      ...host,
      pay: (parameters, key) => sendOver(line.payments, () => host.pay(parameters, key)),
      refer: (payment, parameters, key) => sendOver(line.payments, () => host.refer(payment, parameters, key)),
      find: (id, linked) => sendOver(line.inquiries, () => host.find(id, linked)),
      list: (period) => sendOver(line.inquiries, () => host.list(period)),
    }),
    disconnect(state: Line = 'down') {
      line.payments = state;
      line.inquiries = state === 'up' ? 'up' : 'down';
    },
    async close() {
      await server.close();
      await app.close();
      await store.close();
    },
  };
};

export type TroubledGateway = Awaited<ReturnType<typeof troubledGateway>>;
