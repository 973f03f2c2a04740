/** Turns random steps into requests, each with the codes that the books expect and the entry that an approval adds. */
import { luhnIsValid } from '../../../src/emv/luhn.ts';
import type { Parameters } from '../../support/gateway/gateway.ts';
import { accountOf } from './bench.ts';
import { APPROVED, type Books, type Entry, rows } from './books.ts';
import type { Follow, Start, Step } from './steps.ts';

export const UNCERTAIN = '900.100.300';
const REGISTERED = '000.100.110';
const GONE = '100.150.200';
const DECLINED = '800.100.152';

/** A request and the books' expectation of it. */
export type Plan = {
  method: 'POST' | 'DELETE';
  path: string;
  parameters: Parameters;
  key: string;
  client: 'own' | 'stranger';
  /** The correct code when nothing else happens at the same time. */
  expected: string;
  /** The entry that an approval adds to the books. */
  entry?: (id: string, minor: bigint) => Entry;
  /** The account that it stores and the registration that it deletes. */
  registers?: string;
  deletes?: string;
  loses: 'nothing' | 'answer' | 'request';
};

export type Registrations = Map<string, { account: string; state: 'active' | 'deleted' }>;

type PlanContext = {
  /** The start of every key and reference, unique to this day. */
  name: string;
  books: Books;
  registrations: Registrations;
  card: string;
  gift: string;
};

/** Undefined for a step that needs no request or has no target. */
export const planner = ({ name, books, registrations, card, gift }: PlanContext) => {
  let planned = 0;
  const planOf = (step: Step): Plan | undefined => {
    planned += 1;
    // A reference has at least eight characters, and some systems number their processes from 1.
    const key = `${name}-${planned}`.padStart(8, '0');
    if (step.do === 'start') return planStart(key, step);
    if (step.do === 'follow') return planFollow(key, step);
    if (step.do === 'register') {
      const { parameters } = accountOf(card);
      const path = 'v1/registrations';
      return { ...basePlan, key, path, parameters, expected: REGISTERED, registers: card };
    }
    if (step.do === 'deregister') {
      const [id, registration] = elementAt([...registrations], step.of) ?? [];
      if (id === undefined || registration === undefined) return undefined;
      const expected = registration.state === 'active' ? REGISTERED : GONE;
      return {
        ...basePlan,
        method: 'DELETE',
        key,
        path: `v1/registrations/${id}`,
        parameters: {},
        expected,
        deletes: id,
      };
    }
    return undefined;
  };

  const planStart = (key: string, step: Start): Plan => {
    const { type, fate, captures } = step;
    const [registrationId, stored] = elementAt([...registrations], step.minor) ?? [];
    const onFile = step.on === 'registration' && registrationId !== undefined;
    const account = onFile ? (stored?.account ?? card) : step.on === 'gift' ? gift : card;
    const loses = fate === 'answerLost' ? 'answer' : fate === 'requestLost' ? 'request' : 'nothing';
    const minor = fate === 'none' ? BigInt(step.minor) : triggers[fate];
    const registers = step.registers && !onFile && account === card;
    const verdict = books.start(type, minor, account);
    const usable = !onFile || stored?.state === 'active';
    const expected = !usable
      ? GONE
      : fate === 'declined'
        ? DECLINED
        : loses === 'request' || (loses === 'answer' && verdict.code === APPROVED)
          ? UNCERTAIN
          : verdict.code;
    return {
      ...basePlan,
      key,
      path: onFile ? `v1/registrations/${registrationId}/payments` : 'v1/payments',
      parameters: {
        ...money(minor, 'EUR'),
        paymentType: type,
        merchantTransactionId: key,
        ...(onFile ? {} : accountOf(account).parameters),
        ...(registers ? { createRegistration: 'true' } : {}),
        ...(captures === undefined ? {} : { numberOfCaptures: String(captures) }),
      },
      expected,
      entry: (id, movedMinor) => ({ id, type, minor: movedMinor, currency: 'EUR', account, captures }),
      registers: registers ? account : undefined,
      loses: usable ? loses : 'nothing',
    };
  };

  const planFollow = (key: string, step: Follow): Plan | undefined => {
    const { type, among, final, currency } = step;
    const allowedParents = books.entries.filter((each) => rows[type].of.includes(each.type) && !isIncrease(each));
    const parent = elementAt(among === 'any' ? books.entries : allowedParents, step.of);
    if (parent === undefined) return undefined;
    const all = step.part === 'all' && ['RV', 'CB', 'CR'].includes(type);
    const percent = step.part === 'all' ? 100n : BigInt(step.part);
    const requested = (parent.minor * percent) / 100n || 1n;
    const isKnown = among === 'any' || among === 'fitting';
    const request = { type, minor: all ? ('all' as const) : requested, currency };
    const { code } = books.follow(parent, request);
    // A follow-up that takes new money needs the issuer, whose answer the line may lose too.
    const loses = (type === 'PA' || type === 'RB') && requested === triggers.answerLost ? 'answer' : 'nothing';
    const output = loses === 'answer' && code === APPROVED ? UNCERTAIN : code;
    return {
      ...basePlan,
      key,
      loses,
      client: among === 'stranger' ? 'stranger' : 'own',
      path: `v1/payments/${among === 'unknown' ? 'f'.repeat(32) : parent.id}`,
      parameters: {
        paymentType: type,
        merchantTransactionId: key,
        ...(all ? {} : money(requested, currency)),
        ...(final ? { sequence: 'FINAL' } : {}),
      },
      expected: isKnown ? output : rows[type].wrongParentCode,
      entry: (id, minor) => ({
        id,
        type,
        minor,
        currency: parent.currency,
        account: parent.account,
        of: parent,
        final,
      }),
    };
  };

  return planOf;
};

const isIncrease = ({ type, of: parent }: Entry): boolean => type === 'PA' && parent !== undefined;

const basePlan = { method: 'POST', client: 'own', loses: 'nothing' } as const;
const triggers = { declined: 800_005n, answerLost: 800_068n, requestLost: 800_092n } as const;

export const elementAt = <T>(parent: readonly T[], at: number): T | undefined =>
  parent[at % Math.max(parent.length, 1)];

const money = (minor: bigint, currency: string): Parameters => {
  const digits = minor.toString().padStart(3, '0');
  return { amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`, currency };
};

/** An unused card number: a separate account for each day. */
export const cardNumber = (day: number): string => {
  const digits = `42${String(process.pid).padStart(7, '0')}${String(day).padStart(6, '0')}`;
  for (let check = 0; check < 10; check += 1) if (luhnIsValid(`${digits}${check}`)) return `${digits}${check}`;
  throw new Error('no check digit fits');
};
