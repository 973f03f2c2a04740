/** What every payment keeps of its request. */
import { echoed } from '../parameters/all.ts';
import type { PaymentFacts } from '../store/store.ts';
import type { Call } from './endpoint.ts';

type Kept = Pick<PaymentFacts, 'descriptor' | 'requestId' | 'echo' | 'customParameters'>;

export const factsOf = (call: Call<object>, id: string): Kept => {
  const { descriptor, customParameters = {} } = call.request as {
    descriptor?: string;
    customParameters?: Record<string, string>;
  };
  return {
    descriptor: descriptor ?? `${shortIdOf(id)} ${call.channel.name ?? 'Tillgate'}`,
    requestId: call.requestId,
    echo: Object.fromEntries(Object.entries(call.request).filter(([name]) => echoed.has(name))),
    customParameters,
  };
};

/** `dddd.dddd.dddd`, the short id that people read out: made from the payment's id. */
const shortIdOf = (id: string): string => {
  const digits = (BigInt(`0x${id}`) % 10n ** 12n).toString().padStart(12, '0');
  return [digits.slice(0, 4), digits.slice(4, 8), digits.slice(8)].join('.');
};
