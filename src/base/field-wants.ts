/**
 * What a field must be, in one table: for requests to the local API, and for till.json. Screens show it in the reader's
 * language, by the code.
 */
import type * as z from 'zod';
import { type Facts, type LocalizedMessage, messageFactory } from './localized-message.ts';

export const wantWords = {
  missing: 'must be given',
  empty: 'must not be empty',
  text: 'must be text',
  number: 'must be a number',
  whole: 'must be a whole number',
  yesOrNo: 'must be true or false',
  list: 'must be a list',
  record: 'must have named values',
  least: 'must be at least {least}',
  above: 'must be more than {least}',
  most: 'must be at most {most}',
  short: 'must have at least {least, plural, one {# character} other {# characters}}',
  long: 'must have at most {most, plural, one {# character} other {# characters}}',
  few: 'must have at least {least, plural, one {# entry} other {# entries}}',
  many: 'must have at most {most, plural, one {# entry} other {# entries}}',
  oneOf: 'must be one of these: {values}',
  unknownName: 'is not known here',
  form: 'does not have the right form',
  inWords: 'must be text with at least three letters',
  readable: 'must be valid JSON',
  wholeFile: 'must be a complete JSON file: this one may be truncated, or not JSON',
  file: 'must be a file, as multipart/form-data',
  fileWhole: 'must be a complete file: the upload was cut short',
  fileSize: 'must be a file of at most {most} MB',
  key: 'must be 8 to 64 letters, digits, "-" or "_"',
  amount: 'must be an amount such as 12.50',
  wholeAmount: 'must be an amount such as 50.00',
  ownCurrency: 'must be amounts in the till’s currency',
  currency: 'must be an ISO 4217 code such as EUR',
  pin: 'must be 4 to 12 digits',
  giftNumber: 'must be 8 to 32 digits',
  giftPin: 'must be 3 to 12 digits',
  digits: 'must be 1 to 32 digits',
  fourDigits: 'must be four digits',
  count: 'must be a number of at most 9 digits',
  counter: 'must be a terminal such as T1',
  browser: 'must be the id of a browser',
  entityId: 'must be 32 lower-case hex digits',
  token: 'must be 8 to 512 visible ASCII characters',
  url: 'must be a whole address such as https://gateway.example/',
  slash: 'must end in a slash',
  https: 'must be https (http to this machine only) and end in a slash',
  httpsAlone: 'must be https (http to this machine only), end in a slash, and have no user, query or fragment',
  printerName: 'must be up to 40 letters, digits or spaces',
  printerAddress: 'must be a printer’s address such as tcp://192.168.1.50:9100',
  codePage: 'must be a code page that the till knows, such as cp858',
  terminalAddress: 'must be the address of a terminal such as zvt+tcp://192.168.1.20:20007 or mpi+serial:COM3',
  degrees: 'must be degrees with 1 to 8 decimals such as "48.2082"',
  moment: 'must be a time such as 2026-01-31 23:59:59',
  timeOfDay: 'must be a time such as 04:00',
  timeZone: 'must be a time zone such as Europe/Vienna',
  language: 'must be a language such as de',
  logo: 'must be the name of a PNG file in the till’s folder',
  differentNames: 'must have different names',
  ownNumbers: 'must each have their own terminalId, by which the gateway distinguishes requests',
  ownAddresses: 'must each have their own address, because a terminal takes one sale at a time',
  requestLife: 'must not be less than timeoutMs, because a request can be in progress until its timeout',
  upstreamAlone: 'applies only to the built-in gateway, which is not used with a baseUrl',
  download: 'must be an existing file',
  event: 'must be the id of an event, such as 47110-9f3a2b1c',
} as const;

export type WantIn = typeof wantWords;
export type WantCode = keyof WantIn;
export const tellWant = messageFactory('want', wantWords);

/** A wrong field: its name as it was sent, and what it must be. */
export type WrongField = { name: string; says: string; told?: LocalizedMessage };

export const wrongField = (name: string, code: WantCode, facts?: Facts): WrongField => {
  const message = tellWant(code, facts as never);
  return { name, says: message.says, told: message };
};

type Issue = z.core.$ZodIssue;

const codeOfText = new Map(Object.entries(wantWords).map(([code, words]) => [words, code as WantCode]));

/** Each issue of a schema as a wrong field. A schema's own message is kept if the table has it. */
export const wrongFieldsOf = (issues: readonly Issue[], whole = 'body'): WrongField[] =>
  issues.flatMap((issue) => {
    const path = issue.path.map(String);
    const joinedPath = (more: readonly string[] = []): string => [...path, ...more].join('.') || whole;
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => wrongField(joinedPath([key]), 'unknownName'));
    const knownCode = codeOfText.get(issue.message as (typeof wantWords)[WantCode]);
    if (knownCode !== undefined) return [wrongField(joinedPath(), knownCode)];
    // A message that a refinement made for the case.
    if (issue.code === 'custom') return [{ name: joinedPath(), says: issue.message }];
    return [wrongField(joinedPath(), ...wantOf(issue))];
  });

/** The same as one text: `amount: must be given; pin: must be 4 to 12 digits`. */
export const wrongFieldsText = (issues: readonly Issue[], whole = 'it'): string =>
  wrongFieldsOf(issues, whole)
    .map(({ name, says }) => `${name}: ${says}`)
    .join('; ');

const kinds: Readonly<Record<string, WantCode>> = {
  string: 'text',
  number: 'number',
  int: 'whole',
  boolean: 'yesOrNo',
  array: 'list',
};

const wantOf = (issue: Issue): [WantCode, Facts?] => {
  if (issue.code === 'invalid_type')
    return [issue.message.endsWith('received undefined') ? 'missing' : (kinds[issue.expected] ?? 'record')];
  if (issue.code === 'too_small') return tooSmallWant(issue);
  if (issue.code === 'too_big') {
    const most = Number(issue.maximum);
    return [issue.origin === 'string' ? 'long' : issue.origin === 'array' ? 'many' : 'most', { most }];
  }
  if (issue.code === 'invalid_value') return ['oneOf', { values: issue.values.map(String).join(', ') }];
  if (issue.code === 'invalid_union') return unionWant(issue.errors.flat());
  if (issue.code === 'invalid_format' && issue.format === 'url') return ['url'];
  return ['form'];
};

const tooSmallWant = ({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): [WantCode, Facts?] => {
  const least = Number(minimum);
  if (origin === 'array') return ['few', { least }];
  if (origin !== 'string') return [inclusive === false ? 'above' : 'least', { least }];
  return least === 1 ? ['empty'] : ['short', { least }];
};

/** For a field with several possible values, each value is a schema of its own. */
const unionWant = (issues: readonly Issue[]): [WantCode, Facts?] => {
  const values = issues.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values.map(String) : []));
  return values.length > 0 ? ['oneOf', { values: values.join(', ') }] : ['form'];
};
