/** What every payment and registration keeps of its request. */
import { type Channel, isLive } from '../channel.ts';
import { isEchoed } from '../spec/parameters/all.ts';
import type { Warning } from '../spec/parameters/parser.ts';
import type { PaymentFacts } from '../store/records.ts';
import type { Call } from './endpoint.ts';
import { shortIdOf } from './short-id.ts';

type Kept = Pick<PaymentFacts, 'descriptor' | 'requestId' | 'echo' | 'memo' | 'live' | 'warnings'>;

/** Descriptor, echo and warnings of a request; `merchant.name` overrides the descriptor (spec 2.2). */
export const factsOf = (call: Call<object>, id: string): Kept => {
  const request = call.request as Readonly<Record<string, string | undefined>>;
  const descriptor = request['merchant.name'] ?? request['descriptor'];
  return {
    descriptor: descriptor ?? `${shortIdOf(id)} ${call.channel.name ?? 'Tillgate'}`,
    requestId: call.requestId,
    echo: echoOf(request),
    ...(request['merchantMemo'] === undefined ? {} : { memo: request['merchantMemo'] }),
    ...liveFact(call.channel),
    ...warned(call.warnings),
  };
};

/** What payments and registrations of a live channel say of themselves. */
export const liveFact = (channel: Channel): { live?: true } => (isLive(channel) ? { live: true } : {});

/** The parameters that are given back, under their wire names. */
export const echoOf = (request: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const echo: Record<string, string> = {};
  for (const name in request) {
    const value = request[name];
    if (value !== undefined && name !== '__proto__' && isEchoed(name)) echo[name] = value;
  }
  return echo;
};

/** What a lenient channel let pass, if it was anything. */
export const warned = (warnings: readonly Warning[]): { warnings?: readonly Warning[] } =>
  warnings.length === 0 ? {} : { warnings };
