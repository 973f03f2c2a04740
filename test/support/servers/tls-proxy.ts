/** A proxy that adds TLS to a gateway, under its own path, as shops use one. */
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { selfSigned } from './certificate.ts';

export type TlsProxy = {
  /** `https://127.0.0.1:port/path`, without a final slash. */
  address: string;
  /** From now on requests go to this port of this machine. */
  leadTo(port: number): void;
  close(): Promise<void>;
};

export type TlsProxyOptions = {
  path: string;
  /** Whether requests are passed on without the path. */
  takesPathOff: boolean;
  /** Whether it reports its own address in X-Forwarded-* headers. */
  addsForwarded: boolean;
};

/** Passes requests on with another Host, and returns the answers. */
export const openTlsProxy = async ({ path, takesPathOff, addsForwarded }: TlsProxyOptions): Promise<TlsProxy> => {
  let target = 0;
  const server = createServer(selfSigned(), (request, response) => {
    const { url = '', method, headers } = request;
    if (!url.startsWith(`${path}/`)) {
      response.writeHead(404).end();
      return;
    }
    const reported = { 'x-forwarded-host': headers.host, 'x-forwarded-proto': 'https', 'x-forwarded-prefix': path };
    const onward = ask({
      host: '127.0.0.1',
      port: target,
      method,
      path: takesPathOff ? url.slice(path.length) : url,
      headers: { ...headers, host: 'inner.example', ...(addsForwarded && reported) },
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => {});
    });
    pipeline(request, onward, (error) => {
      if (error) response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    leadTo(port) {
      target = port;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
