/** The gateway's benchmarks as lines, each with its target. */
import { benchGrowth } from './growth.ts';
import { benchPayments } from './payments.ts';
import { benchSideBySide } from './side-by-side.ts';

const ROUNDS = 3;
const ROUND_MS = 4000;

const verdict = (isMet: boolean): string => (isMet ? 'ok' : 'MISSED');
const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`;

/** Prints each line; returns whether all targets were reached. */
export const reportGateway = async (print: (line: string) => void): Promise<boolean> => {
  const results: boolean[] = [];
  const line = (text: string, isMet: boolean): void => {
    results.push(isMet);
    print(`${text}  ${verdict(isMet)}`);
  };
  print('\nthe gateway: payments of 20 parameters over 64 connections, durable …');
  const { perSecond, oneCommitEach, beforeProcessor, echo, ...rest } = await benchPayments(ROUNDS, ROUND_MS);
  const { medianMs, p99Ms, startedMs, memoryMb, statuses } = rest;
  const shareOfEcho = perSecond / echo;
  const worth = perSecond / oneCommitEach;
  const only = statuses.join() === '200';
  const ofSimulated = (beforeProcessor / perSecond).toFixed(2);
  line(
    `payments                       ${rate(perSecond)}, median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    only,
  );
  line(
    `compared with a bare echo      ${rate(echo)}: ${shareOfEcho.toFixed(2)} (wanted: at least 0.40)`,
    shareOfEcho >= 0.4,
  );
  line(
    `one commit per request         ${rate(oneCommitEach)}: ${worth.toFixed(1)} times (wanted: at least 5)`,
    worth >= 5,
  );
  line(`with a processor over HTTP     ${rate(beforeProcessor)}: ${ofSimulated} of that, written twice`, only);
  line(`from start to listening        ${Math.round(startedMs)} ms (wanted: under 400)`, startedMs < 400);
  line(`resident memory under load     ${memoryMb} MB (wanted: under 150)`, memoryMb < 150);

  const { byId, byReference } = await benchGrowth(1500, print);
  line(`one of 1,000,000, by its id    ${byId.toFixed(2)} times one of 1,000 (wanted: at most 1.3)`, byId <= 1.3);
  line(`by merchantTransactionId       ${byReference.toFixed(2)} times (wanted: at most 1.3)`, byReference <= 1.3);

  for (const connections of [1, 8]) {
    const { one, two } = await benchSideBySide({ connections, rounds: ROUNDS, forMs: ROUND_MS });
    const gain = (two / one).toFixed(2);
    const clients = `${connections} at a time each`;
    line(
      `two gateways on PostgreSQL     ${rate(two)}, one ${rate(one)}, ${clients}: ${gain} (wanted: 1.5)`,
      two / one >= 1.5,
    );
  }
  return results.every(Boolean);
};
