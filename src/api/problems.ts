/** Faults as HTTP answers: their texts, and the status that fits their remedy. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { errorText, Fault, isFault, SalesFault } from '../base/fault.ts';
import type { FaultCode, Remedy } from '../base/faults.ts';
import { type WrongField, wrongField } from '../base/field-wants.ts';
import { withTexts } from '../base/localized-message.ts';
import { printable, withoutNumbers } from '../base/mask.ts';
import type { Problem } from './contract/problem.ts';
import type { SaleRow } from './contract/sales.ts';

const byRemedy: Readonly<Record<Remedy, ContentfulStatusCode>> = {
  refuse: 422,
  retry: 503,
  inquire: 502,
  queue: 503,
  halt: 500,
};

const byCode: Partial<Readonly<Record<FaultCode, ContentfulStatusCode>>> = {
  'session.needed': 401,
  'session.notAllowed': 403,
  'session.pinNeeded': 403,
  'session.code': 403,
  'config.notAllowed': 403,
  'session.changed': 409,
  'posKey.known': 409,
  'posKey.unknown': 404,
  'posKey.full': 409,
  'staff.unknown': 404,
  'browser.unknown': 404,
  'staff.known': 409,
  'request.tooLarge': 413,
  'till.stopping': 503,
  'terminal.turn': 409,
  'receipt.notYet': 409,
  'books.closeWaited': 409,
  'books.closeCancelled': 409,
  'upload.underWay': 409,
  'upload.stalled': 408,
  'request.foreign': 403,
  'request.malformed': 400,
  'request.unknown': 404,
  'request.keyReused': 409,
  'staff.notAllowed': 403,
  'staff.refused': 403,
  'staff.locked': 429,
  'till.notFound': 404,
  'receipt.elsewhere': 404,
  'receipt.unknown': 404,
  'books.notFound': 404,
  'settlement.notFound': 404,
  'terminal.busy': 409,
  'machine.other': 409,
  'machine.behind': 409,
  'machine.settled': 409,
  'gateway.plain': 409,
  'gateway.plainUnallowed': 409,
  'sale.likely': 409,
  'events.elsewhere': 409,
  'events.tooOld': 410,
};

/** The seconds after which the request can be repeated, for `Retry-After`. */
const againAfterS: Partial<Readonly<Record<FaultCode, number>>> = {
  'till.stopping': 10,
  'till.reopening': 3,
  'terminal.turn': 5,
  'receipt.notYet': 5,
};

/** A fault in the shape of every refusal of this API. Long numbers are masked, because it can contain user input. */
export const problemOf = (error: unknown): Problem => {
  const fault = faultOf(error);
  const facts = Object.entries(fault.facts).map(
    ([name, fact]) => [name, typeof fact === 'string' ? withoutNumbers(fact) : fact] as const,
  );
  return {
    code: fault.code,
    says: withoutNumbers(fault.message),
    facts: Object.fromEntries(facts),
    money: withoutNumbers(fault.money),
    next: withoutNumbers(fault.next),
    remedy: fault.remedy,
    fields: fault instanceof Malformed ? fault.fields.map(fieldOf) : undefined,
    sales: fault instanceof SalesFault ? [...(fault.sales as readonly SaleRow[])] : undefined,
  };
};

/** A field's name can be user input too. */
const fieldOf = ({ name, says, told }: WrongField): WrongField => ({
  name: withoutNumbers(name),
  says: withoutNumbers(says),
  told: told && withTexts(told, withoutNumbers),
});

const faultOf = (error: unknown): Fault => {
  if (isFault(error)) return error;
  // Hono's error for a body that it could not read.
  if (error instanceof HTTPException && error.status === 400) return new Malformed([wrongField('body', 'readable')]);
  return new Fault('program.failed', { why: printable(errorText(error)) }, error);
};

const statusOf = ({ code, remedy }: Problem): ContentfulStatusCode => byCode[code as FaultCode] ?? byRemedy[remedy];

const headersOf = ({ code }: Problem): Record<string, string> => {
  const seconds = againAfterS[code as FaultCode];
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
};

export const answerProblem = (error: unknown, context: Context): Response => {
  const problem = problemOf(error);
  return context.json({ problem }, statusOf(problem), headersOf(problem));
};

/** The answer to a fault outside of routes. */
export const problemResponse = (error: unknown): Response => {
  const problem = problemOf(error);
  return Response.json({ problem }, { status: statusOf(problem), headers: headersOf(problem) });
};

/** An invalid body, query or path: `request.malformed`, with each wrong field. */
export class Malformed extends Fault {
  readonly fields: readonly WrongField[];

  constructor(fields: readonly WrongField[]) {
    super('request.malformed', { why: fields.map(({ name, says }) => `${name}: ${says}`).join('; ') });
    this.fields = fields;
  }
}
