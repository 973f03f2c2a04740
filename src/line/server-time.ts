/** What time it is at a gateway, by the Date header of any answer of its (RFC 9110, 6.6.1). Nothing secret is sent. */
import { type IncomingMessage, request as plainly } from 'node:http';
import { request as encrypted } from 'node:https';
import { rootCertificates } from 'node:tls';
import { type Clock, within } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';

const WITHIN_MS = 5_000;

/** Ms since 1970, in whole seconds; undefined when it does not tell, or does not answer. Never rejects. */
export const serverTime = async (
  url: string,
  { clock, trusted }: { clock: Clock; trusted?: string },
): Promise<number | undefined> => {
  const ca = trusted === undefined ? {} : { ca: [...rootCertificates, trusted] };
  const asked = url.startsWith('https:') ? encrypted(url, { method: 'HEAD', ...ca }) : plainly(url, { method: 'HEAD' });
  const answered = new Promise<IncomingMessage>((done, failed) => {
    asked.once('response', done);
    asked.once('error', failed);
    asked.end();
  });
  try {
    const { headers } = await within(clock, WITHIN_MS, answered, () => new Fault('host.silent', { why: 'too late' }));
    const at = Date.parse(headers.date ?? '');
    return Number.isNaN(at) ? undefined : at;
  } catch {
    return undefined;
  } finally {
    asked.destroy();
  }
};
