/** How a client uses this interface: its sign-in, its encoding, its requests, and the answers that it requires. */
import { entityId, type Parameters, type Reply, token } from '../support/gateway/gateway.ts';
import type { Host } from './host.ts';

/** header: Bearer and entityId. alias: Bearer and authentication.entityId. body: user and password, no header. */
export type Authentication = 'header' | 'alias' | 'body';

/** form: names and values escaped. ruby: only values. plain: nothing, as in samples that join strings. */
export type Encoding = 'form' | 'ruby' | 'plain';

export type Step = {
  title: string;
  /** `POST /v1/payments/{held}`: the braces name a kept id of an earlier step. */
  line: string;
  parameters?: Parameters;
  /** Sent without credentials, as some clients request a status. */
  unsigned?: true;
  /** Keeps the answer's id under this name; `held=registrationId` keeps another field. */
  stores?: string;
  status: number | readonly number[];
  /** By path: a pattern for a text, `array`, or null for a field that must be absent. */
  fields?: Readonly<Record<string, RegExp | 'array' | null>>;
};

export type Dialect = {
  client: string;
  signIn: Authentication;
  encoding: Encoding;
  headers?: Parameters;
  /** The names that a strict channel refuses in the first refused request: this client needs a lenient channel. */
  refuses?: readonly string[];
  steps: readonly Step[];
};

export const legacy = { userId: '8a8294174e735d0c014e78beb6c5154f', password: 'cTZjAm9c87' };

const credentials: Readonly<Record<Authentication, Parameters>> = {
  header: { entityId },
  alias: { 'authentication.entityId': entityId },
  body: {
    'authentication.userId': legacy.userId,
    'authentication.password': legacy.password,
    'authentication.entityId': entityId,
  },
};

const ruby = (value: string): string => encodeURIComponent(value).replaceAll('%20', '+');
const encoders: Readonly<Record<Encoding, (parameters: Parameters) => string>> = {
  form: (parameters) => new URLSearchParams(parameters).toString(),
  ruby: (parameters) => pairsOf(parameters, ruby),
  plain: (parameters) => pairsOf(parameters, (value) => value),
};
const pairsOf = (parameters: Parameters, value: (text: string) => string): string =>
  Object.entries(parameters)
    .map(([name, text]) => `${name}=${value(text)}`)
    .join('&');

type StoredFields = Map<string, string>;

/** Sends one request as the client does. Ids of earlier answers come from `stored`. */
export const sendStep = async (
  host: Host,
  dialect: Dialect,
  { step, stored }: { step: Step; stored: StoredFields },
): Promise<Reply> => {
  const line = step.line.replace(/\{(\w+)\}/g, (_, name: string) => stored.get(name) ?? '');
  const signs = step.unsigned === true ? {} : credentials[dialect.signIn];
  const text = encoders[dialect.encoding]({ ...signs, ...step.parameters });
  const isUnauthenticated = dialect.signIn === 'body' || step.unsigned === true;
  const authorization: Parameters = isUnauthenticated ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...authorization, ...dialect.headers };
  return line.startsWith('POST') ? host.send(line, text, headers) : host.send(`${line}?${text}`, '', headers);
};

/** The value at `card.last4Digits` or `payments.0.id`. */
export const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);

/** Describes what the answer lacks. */
export const problemsOf = ({ status, body }: Reply, step: Step): string[] => {
  const expected = [step.status].flat();
  const problems = expected.includes(status) ? [] : [`status ${status}`];
  for (const [path, expectedValue] of Object.entries(step.fields ?? {})) {
    const found = valueAt(body, path);
    const fits =
      expectedValue === null
        ? found === undefined
        : expectedValue === 'array'
          ? Array.isArray(found)
          : typeof found === 'string' && expectedValue.test(found);
    if (!fits) problems.push(`${path}: ${JSON.stringify(found)}`);
  }
  return problems;
};

/** Stores the field that a later step needs. */
export const storeFields = (stored: StoredFields, step: Step, { body }: Reply): void => {
  const [name, path = 'id'] = step.stores?.split('=') ?? [];
  if (name !== undefined) stored.set(name, String(valueAt(body, path)));
};

export const namesRefused = ({ body }: Reply): string[] => {
  const errors = valueAt(body, 'result.parameterErrors');
  return Array.isArray(errors) ? errors.map(({ name }: { name: string }) => name).sort() : [];
};
