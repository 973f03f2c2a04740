/** A gateway on a real TCP port with its simulators, and a client that sends form bodies to it. */
import { Pool } from 'undici';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import type { Channel } from '../../src/gateway/channel.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import { listen } from '../../src/gateway/server/http/listen.ts';
import { entityId, type Parameters, type Reply, token } from '../support/gateway/gateway.ts';

export type Host = {
  port: number;
  /** The number of requests that it answered. */
  requestCount(): number;
  /** Sends with the token, the content type, entityId and these headers. Parameters of a GET go into its address. */
  request(line: string, parameters?: Parameters, headers?: Parameters): Promise<Reply>;
  /** Sends this text as the body with the token and the content type, or with only these headers. */
  send(line: string, body: string, headers?: Parameters): Promise<Reply>;
  /** The id of what this request created; rejects if the request was refused. */
  createdId(line: string, parameters: Parameters): Promise<string>;
  close(): Promise<void>;
};

/** Enough for a shop's busiest hour, and few enough for one small machine. */
const CONNECTIONS = 8;

const signed: Parameters = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
};

/** One channel, strict unless `channel` sets otherwise. Everything is in memory and disappears with `close`. */
export const openHost = async (channel: Partial<Channel> = {}): Promise<Host> => {
  const faults: unknown[] = [];
  const gateway = await openGateway({
    dataDir: ':memory:',
    channels: [{ entityId, token, name: 'Corner Shop', ...channel }],
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    // The webhooks of the tests go to a port of this machine on which nothing listens.
    allowPrivateUrls: true,
    report: (error) => faults.push(error),
  });
  const listener = await listen({ app: gateway, port: 0, host: '127.0.0.1' });
  const pool = new Pool(`http://127.0.0.1:${listener.port}`, { connections: CONNECTIONS });
  let requestCount = 0;

  const send: Host['send'] = async (line, body, headers = signed) => {
    const [method = '', path = ''] = line.split(' ');
    requestCount += 1;
    const reply = await pool.request({
      method: method as 'GET' | 'POST' | 'DELETE',
      path,
      body: method === 'POST' ? body : undefined,
      headers,
    });
    const text = await reply.body.text();
    const json = JSON.parse(text) as Reply['body'];
    const { code = '' } = (json['result'] ?? {}) as { code?: string };
    return { status: reply.statusCode, body: json, text, code, headers: headersOf(reply.headers) };
  };
  const request: Host['request'] = (line, parameters = {}, extraHeaders) => {
    const headers = { ...signed, ...extraHeaders };
    const form = new URLSearchParams({ entityId, ...parameters }).toString();
    return line.startsWith('POST') ? send(line, form, headers) : send(`${line}?${form}`, '', headers);
  };
  return {
    port: listener.port,
    requestCount: () => requestCount,
    send,
    request,
    async createdId(line, parameters) {
      const { status, body, text } = await request(line, parameters);
      if (status !== 200) throw new Error(`${line} was refused: ${text}`);
      return String(body['id']);
    },
    async close() {
      await pool.close();
      await listener.close();
      await gateway.close();
      if (faults.length > 0) throw new AggregateError(faults, 'the gateway reported faults inside');
    },
  };
};

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
