/** Sends intents: once, again with the same key while there is no answer, and forgets them at their ending. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { Problem } from '../../api/contract/problem.ts';
import type { LiveSale, SaleRow } from '../../api/contract/sales.ts';
import { api, freshKey, got, RequestRefused } from '../api.ts';
import { every, now } from '../clock.ts';
import { listen } from '../events.ts';
import { withOverride } from '../parts/override.ts';
import { type CashierIntent, isRefusedUnread, openIntents, type Send } from './intents.ts';
import { withSale } from './live-sales.ts';
import { keys } from './till.ts';

// The requests for intents, and the results of those without an answer.

/** Sends an intent with its key; asks for approval if the person signed in may not do it. Throws `RequestRefused`. */
const sendIntent = ({ key, send }: CashierIntent): Promise<LiveSale> =>
  withOverride(async (override) => {
    const headers = { ...override, 'Idempotency-Key': key };
    if (send.do === 'begin') return got(api.sales.$post({ json: send.body }, { headers }));
    const param = { receipt: String(send.receipt), operation: send.operation };
    const answer = api.sales[':receipt'][':operation'].$post({ param, json: send.body }, { headers });
    return got(answer);
  });

/**
 * Whether the till itself refused, so that nothing began. After any other error it may have arrived. `wasSent`: it was
 * sent before.
 */
const isRefusal = (error: unknown, wasSent = false): error is RequestRefused =>
  error instanceof RequestRefused &&
  error.status !== 0 &&
  error.problem.code !== 'program.failed' &&
  !(wasSent && isRefusedUnread(error.problem.code));

/** How long to wait before sending an unanswered intent again, ms. */
const RESEND_MS = 2000;
/** An older one, found after a reload, is sent again only on request. */
const STALE_MS = 60_000;

const intents = openIntents(sessionStorage);
const keysInFlight = new Set<string>();
const unansweredIntents = (): CashierIntent[] => intents.all().filter(({ sale }) => sale === undefined);

/** Fetches a sale that the page remembers, and forgets it when the till does not know it. */
const fetchSale = async (id: string): Promise<LiveSale | undefined> => {
  try {
    return await got(api.live[':id'].$get({ param: { id } }));
  } catch (error) {
    if (isRefusal(error, true)) intents.forgetSale(id);
    return undefined;
  }
};

/** The sale once its intent is durable, or what happened instead. `asked`: a person must answer first. */
export type StartResult = LiveSale | 'refused' | 'waits' | 'asked';

/** The till's question whether this was just charged, with the sales it concerns. */
export type LikelyProblem = Problem & { sales: SaleRow[] };

/** Asks a person; `send` is the intended request. */
type Ask = (send: Send, problem: LikelyProblem) => 'asked';

const likelyProblemOf = ({ problem }: RequestRefused): LikelyProblem | undefined =>
  problem.code === 'sale.likely' ? { ...problem, sales: problem.sales ?? [] } : undefined;

export type Selling = {
  start(send: Send): Promise<StartResult>;
  problem: unknown;
  setProblem(problem: unknown): void;
  unanswered: readonly CashierIntent[];
  /** Found after a reload, and too old to be sent again without asking. */
  stale: CashierIntent | undefined;
  settle(intent: CashierIntent, isResent: boolean): void;
};

/** `showResult` is called with the id of each sale that began or was found again. */
export const useSelling = (showResult: (id: string) => void, ask: Ask): Selling => {
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const [unanswered, setUnanswered] = useState(unansweredIntents);
  const [opened] = useState(now);
  const add = useCallback(
    (sale: LiveSale) => {
      if (sale.result !== undefined) intents.forgetSale(sale.id);
      showResult(sale.id);
      client.setQueryData<LiveSale[]>(keys.live, (live = []) =>
        live.some(({ id }) => id === sale.id) ? live : withSale(live, sale),
      );
    },
    [client, showResult],
  );
  const run = useCallback(
    async (intent: CashierIntent): Promise<StartResult> => {
      if (keysInFlight.has(intent.key)) return 'waits';
      keysInFlight.add(intent.key);
      const wasSent = intents.markSent(intent.key);
      try {
        const sale = await sendIntent(intent);
        intents.linkSale(intent.key, sale.id);
        add(sale);
        return sale;
      } catch (error) {
        if (!isRefusal(error, wasSent)) return 'waits';
        intents.forget(intent.key);
        const likely = likelyProblemOf(error);
        if (likely !== undefined) return ask(intent.send, likely);
        setProblem(error);
        return 'refused';
      } finally {
        keysInFlight.delete(intent.key);
        setUnanswered(unansweredIntents());
      }
    },
    [add, ask],
  );
  const start = useCallback(
    (send: Send) => {
      setProblem(undefined);
      // One thing at a time: a press before the till has answered repeats the first one.
      if (keysInFlight.size > 0) return Promise.resolve('waits' as const);
      return run(intents.open(send, { key: freshKey(), at: now() }));
    },
    [run],
  );
  const isStale = ({ at }: CashierIntent): boolean => opened - at > STALE_MS;
  const recent = unanswered.filter((intent) => !isStale(intent));
  useResending(recent, run);
  useBegunSales(add);
  const settle = (intent: CashierIntent, isResent: boolean): void => {
    if (isResent) return void run(intent);
    intents.forget(intent.key);
    setUnanswered(unansweredIntents());
  };
  return { start, problem, setProblem, unanswered, stale: unanswered.find(isStale), settle };
};

/** Sends unanswered intents again while there are any. */
const useResending = (waiting: readonly CashierIntent[], run: (intent: CashierIntent) => Promise<unknown>): void => {
  const waitingKeys = waiting.map(({ key }) => key).join();
  useEffect(() => {
    const resend = (): void => {
      for (const intent of unansweredIntents()) if (waitingKeys.includes(intent.key)) void run(intent);
    };
    resend();
    return waitingKeys === '' ? undefined : every(RESEND_MS, resend);
  }, [waitingKeys, run]);
};

/** After a reload, finds the sales that this page had begun; afterwards follows their endings. */
const useBegunSales = (add: (sale: LiveSale) => void): void => {
  useEffect(() => {
    for (const { sale } of intents.all()) if (sale !== undefined) void fetchSale(sale).then((one) => one && add(one));
    return listen((event) => {
      if (event.on === 'sale' && event.sale.result !== undefined) intents.forgetSale(event.sale.id);
    });
  }, [add]);
};
