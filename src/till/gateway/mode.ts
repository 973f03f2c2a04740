/** A gateway from the view of a till in one mode: an approval in the other mode does not count. */
import type { Mode } from '../../base/mode.ts';
import { rowOf } from '../../base/result-codes.ts';
import type { Host, HostReply, Meaning } from '../ports.ts';

/** The mode that a code implies; undefined for codes of both modes, such as a review's. */
export const modeOfCode = (code: string): Mode | undefined => rowOf(code).mode;

/** Test simulators put a field with this text into the result of each answer, including declines (host API 2.35). */
const testText = 'Please allow for new unexpected fields to be added';

/** Whether an answer, or a payment in a list, has the mark of test simulators. */
const isMarked = (body: unknown): boolean => {
  const result = (body as { result?: unknown } | null | undefined)?.result;
  return typeof result === 'object' && result !== null && Object.values(result).includes(testText);
};

const certain: ReadonlySet<Meaning> = new Set(['declined', 'refused']);

/** Whether a test simulator answered: whatever the till's mode, its answer says nothing about real money. */
export const isFromTest = (code: string, body: unknown): boolean => {
  const mode = modeOfCode(code);
  return mode === 'test' || (mode === undefined && isMarked(body));
};

/**
 * An approval code that implies a mode outweighs the mark: a test channel may still have a payment that was made live.
 * A live till does not believe a test simulator's refusal either, because a simulator treats every real card as forged.
 */
const requireMode = (mode: Mode, { means, code, body }: { means: Meaning; code: string; body?: unknown }): Meaning => {
  if (certain.has(means)) return mode === 'live' && isMarked(body) ? 'testAnswer' : means;
  if (means !== 'approved') return means;
  const answered = modeOfCode(code) ?? (isMarked(body) ? 'test' : mode);
  if (answered === mode) return means;
  return answered === 'test' ? 'testAnswer' : 'liveAnswer';
};

/** The gateway for a till in this mode. Answers to inquiries are unchanged: `meaningOf` judges the payments in them. */
export const hostInMode = (host: Host, mode: Mode): Host => {
  const inMode = async (reply: Promise<HostReply>): Promise<HostReply> => {
    const answer = await reply;
    if (answer.kind !== 'answered') return answer;
    return { ...answer, means: requireMode(mode, answer) };
  };
  return {
    ...host,
    pay: (parameters, key) => inMode(host.pay(parameters, key)),
    refer: (payment, parameters, key) => inMode(host.refer(payment, parameters, key)),
    meaningOf: (code, body) => requireMode(mode, { means: host.meaningOf(code), code, body }),
  };
};

export type ApprovalWatch = {
  /** The same gateway; each payment that it approves is observed. */
  host: Host;
  /** Calls back after each payment approved in the till's own mode, as its code shows. */
  onApproval(listener: () => void): void;
};

/** `host` must be in the till's mode. */
export const watchApprovals = (host: Host, mode: Mode): ApprovalWatch => {
  const listeners: (() => void)[] = [];
  return {
    host: {
      ...host,
      async pay(parameters, key) {
        const reply = await host.pay(parameters, key);
        const isOwn = reply.kind === 'answered' && reply.means === 'approved' && modeOfCode(reply.code) === mode;
        if (isOwn) for (const notify of listeners) notify();
        return reply;
      },
    },
    onApproval: (listener) => void listeners.push(listener),
  };
};
