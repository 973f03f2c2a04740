/** A proxy that has TLS for a gateway, under a path of its own, as shops put one before it. */
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { selfSigned } from './certificate.ts';

export type TlsProxy = {
  /** `https://127.0.0.1:port/path`, without a slash at its end. */
  address: string;
  /** From now on requests go to this port of this machine. */
  leadTo(port: number): void;
  close(): Promise<void>;
};

export type TlsProxyOptions = {
  path: string;
  /** Whether requests go on without the path. */
  takesPathOff: boolean;
  /** Whether it says in X-Forwarded-* where it was reached. */
  tells: boolean;
};

/** Sends requests on under a Host of its own, and answers as it is answered. */
export const openTlsProxy = async ({ path, takesPathOff, tells }: TlsProxyOptions): Promise<TlsProxy> => {
  let target = 0;
  const server = createServer(selfSigned(), (request, response) => {
    const { url = '', method, headers } = request;
    if (!url.startsWith(`${path}/`)) {
      response.writeHead(404).end();
      return;
    }
    const told = { 'x-forwarded-host': headers.host, 'x-forwarded-proto': 'https', 'x-forwarded-prefix': path };
    const onward = ask({
      host: '127.0.0.1',
      port: target,
      method,
      path: takesPathOff ? url.slice(path.length) : url,
      headers: { ...headers, host: 'inner.example', ...(tells && told) },
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
