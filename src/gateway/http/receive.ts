/** From a raw request to an operation's answer: who asks, what exactly was sent, and only then what is wanted. */

import type { Endpoint, Gateway, Incoming } from '../operations/endpoint.ts';
import { strayNumbers } from '../parameters/strays.ts';
import { fingerprintOf } from '../repeats.ts';
import { type Answer, frame, type Refusal, refusal } from '../response.ts';
import { admit, type Channel } from './authentication.ts';
import { decodeForm, gather } from './form.ts';
import { sourceOf } from './source.ts';

type Tools = { gateway: Gateway; channels: readonly Channel[]; secret: Uint8Array };

const MALFORMED = '200.100.103';
const AUTHENTICATION = '800.900.300';

export type Receive = (endpoint: Endpoint, request: Request, id: string | undefined) => Promise<Answer>;

export const receiver = ({ gateway, channels, secret }: Tools): Receive => {
  return async (endpoint, request, id) => {
    const requestId = gateway.ids.next();
    const at = gateway.clock.now();
    const refuse = (why: Refusal): Answer => refusal(why, frame('', requestId, at));

    const admission = admit(channels, request.headers.get('authorization'));
    if (admission.kind !== 'admitted') return refuse(turnedAway[admission.kind]);

    const source = await sourceOf(endpoint, request);
    if (source.kind === 'refused') return refuse({ code: MALFORMED, why: source.why });
    const form = decodeForm(source.text);
    if (form.kind === 'malformed') return refuse({ code: MALFORMED, why: form.why });
    const key = request.headers.get('idempotency-key') ?? undefined;
    if (key !== undefined && !/^[!-~]{1,255}$/.test(key)) {
      return refuse({ code: MALFORMED, why: 'Idempotency-Key must be 1 to 255 visible ASCII characters.' });
    }

    const entityId = form.pairs.get('entityId');
    const channel = admission.channels.find((each) => each.entityId === entityId);
    if (channel === undefined && /^[0-9a-f]{32}$/.test(entityId ?? '')) {
      return refuse({ code: AUTHENTICATION, status: 403, why: 'The access token is not one of this entityId.' });
    }
    const { method, path } = endpoint.operation;
    const incoming: Incoming = {
      // Without a well-formed entityId the parser refuses the request before the channel is looked at.
      channel: channel ?? { entityId: '', token: '' },
      sent: gather(form.pairs, endpoint.maps),
      ...(id === undefined ? {} : { id }),
      errors: [...form.errors, ...strayNumbers(form.pairs, key)],
      fingerprint: fingerprintOf(secret, `${method} ${path} ${id ?? ''}`, form.pairs),
      ...(key === undefined ? {} : { key }),
      requestId,
      at,
    };
    return endpoint.answer(gateway, incoming);
  };
};

const turnedAway: Readonly<Record<'malformed' | 'unknown', Refusal>> = {
  malformed: {
    code: AUTHENTICATION,
    status: 401,
    why: 'The Authorization header must be: Bearer, a space, the access token.',
    headers: { 'www-authenticate': 'Bearer' },
  },
  unknown: { code: AUTHENTICATION, status: 403, why: 'The access token is not known here.' },
};
