/** How a client uses this interface: its sign-in, its encoding, its requests, and the answers that it requires. */
import { entityId, type Parameters, type Reply, token } from '../support/gateway/gateway.ts';
import type { Host } from './host.ts';

/** header: Bearer and entityId. alias: Bearer and authentication.entityId. body: user and password, no header. */
export type SignsIn = 'header' | 'alias' | 'body';

/** form: names and values escaped. ruby: only values. plain: nothing, as samples concatenate it. */
export type Encodes = 'form' | 'ruby' | 'plain';

export type Step = {
  says: string;
  /** `POST /v1/payments/{held}`: the braces name a kept id of an earlier step. */
  line: string;
  sends?: Parameters;
  /** Sent without credentials, as some clients request a status. */
  unsigned?: true;
  /** Keeps the answer's id under this name; `held=registrationId` keeps another field. */
  keeps?: string;
  status: number | readonly number[];
  /** By path: a pattern for a text, `array`, or null for a field that must be absent. */
  finds?: Readonly<Record<string, RegExp | 'array' | null>>;
};

export type Dialect = {
  client: string;
  signsIn: SignsIn;
  encodes: Encodes;
  headers?: Parameters;
  /** The names that a strict channel refuses in the first refused request: this client needs a lenient channel. */
  refused?: readonly string[];
  steps: readonly Step[];
};

export const legacy = { userId: '8a8294174e735d0c014e78beb6c5154f', password: 'cTZjAm9c87' };

const credentials: Readonly<Record<SignsIn, Parameters>> = {
  header: { entityId },
  alias: { 'authentication.entityId': entityId },
  body: {
    'authentication.userId': legacy.userId,
    'authentication.password': legacy.password,
    'authentication.entityId': entityId,
  },
};

const ruby = (value: string): string => encodeURIComponent(value).replaceAll('%20', '+');
const encoders: Readonly<Record<Encodes, (sent: Parameters) => string>> = {
  form: (sent) => new URLSearchParams(sent).toString(),
  ruby: (sent) => pairsOf(sent, ruby),
  plain: (sent) => pairsOf(sent, (value) => value),
};
const pairsOf = (sent: Parameters, value: (text: string) => string): string =>
  Object.entries(sent)
    .map(([name, text]) => `${name}=${value(text)}`)
    .join('&');

type Kept = Map<string, string>;

/** Sends one request as the client does. Ids of earlier answers come from `stored`. */
export const speak = async (
  host: Host,
  dialect: Dialect,
  { step, stored }: { step: Step; stored: Kept },
): Promise<Reply> => {
  const line = step.line.replace(/\{(\w+)\}/g, (_, name: string) => stored.get(name) ?? '');
  const signs = step.unsigned === true ? {} : credentials[dialect.signsIn];
  const text = encoders[dialect.encodes]({ ...signs, ...step.sends });
  const bare = dialect.signsIn === 'body' || step.unsigned === true;
  const authorization: Parameters = bare ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...authorization, ...dialect.headers };
  return line.startsWith('POST') ? host.say(line, text, headers) : host.say(`${line}?${text}`, '', headers);
};

/** The value at `card.last4Digits` or `payments.0.id`. */
export const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);

/** Describes what the answer lacks. */
export const lacks = ({ status, body }: Reply, step: Step): string[] => {
  const expected = [step.status].flat();
  const wrong = expected.includes(status) ? [] : [`status ${status}`];
  for (const [path, want] of Object.entries(step.finds ?? {})) {
    const found = at(body, path);
    const fits =
      want === null
        ? found === undefined
        : want === 'array'
          ? Array.isArray(found)
          : typeof found === 'string' && want.test(found);
    if (!fits) wrong.push(`${path}: ${JSON.stringify(found)}`);
  }
  return wrong;
};

/** Keeps what a later step needs. */
export const keep = (saved: Kept, step: Step, { body }: Reply): void => {
  const [name, path = 'id'] = step.keeps?.split('=') ?? [];
  if (name !== undefined) saved.set(name, String(at(body, path)));
};

export const namesRefused = ({ body }: Reply): string[] => {
  const errors = at(body, 'result.parameterErrors');
  return Array.isArray(errors) ? errors.map(({ name }: { name: string }) => name).sort() : [];
};
