/** A till at a gateway that is wrong in the ways a gateway can be: in the other mode, or refusing the till. */
import { expect } from 'vitest';
import type { Mode } from '../../src/base/mode.ts';
import { modeOfCode } from '../../src/till/gateway/mode.ts';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import type { Host, HostReply } from '../../src/till/ports.ts';
import { chipCard, type RunParts, type TillRun, tillRig } from '../support/till/till-rig.ts';

export const noop = () => {};

export const openWrongGateway = (mode: Mode) => {
  const rig = tillRig(chipCard, mode);
  /** The keys of the payment requests, in order. */
  const keys: string[] = [];
  /** What the line answers in place of the gateway. */
  const line: { says: (() => HostReply) | undefined } = { says: undefined };
  const orWrong = async (sendReal: () => Promise<HostReply>) => (line.says === undefined ? sendReal() : line.says());
  const host: Host = {
    ...rig.host,
    pay(parameters, key) {
      keys.push(key);
      return orWrong(() => rig.host.pay(parameters, key));
    },
    refer: (payment, parameters, key) => orWrong(() => rig.host.refer(payment, parameters, key)),
    find: (reference, linked) => orWrong(() => rig.host.find(reference, linked)),
    list: (period) => orWrong(() => rig.host.list(period)),
  };
  let run: TillRun = rig.open({ host });
  const sellAmount = (minor: bigint): Promise<EndedSale> => rig.clock.until(run.sell(minor).done);
  const stored = async (minor: bigint): Promise<EndedSale> => {
    rig.fates.push('notReached');
    const sale = await sellAmount(minor);
    expect(sale.offline).toBe('chip');
    keys.pop();
    return sale;
  };
  return {
    rig,
    keys,
    line,
    get run() {
      return run;
    },
    restart(around: RunParts = {}) {
      run.close();
      run = rig.open({ host, ...around });
    },
    sold: sellAmount,
    stored,
    async storeFive(): Promise<EndedSale[]> {
      const sales: EndedSale[] = [];
      for (const minor of [100n, 200n, 300n, 400n, 500n]) sales.push(await stored(minor));
      return sales;
    },
    /** What live answers have moved, in order. */
    charged: () =>
      rig.host.books
        .filter(({ code }) => modeOfCode(code) === 'live')
        .map(({ paymentType, amount }) => `${paymentType} ${amount}`),
    isForwarded({ intent }: EndedSale): boolean | undefined {
      const now = run.till.findSale(intent.sale);
      return now.at === 'ended' ? now.forwarded?.approved : undefined;
    },
    /** The number of messages whose card data can still be decrypted. */
    withCardData: (): number =>
      [...run.outbox.waiting(), ...run.outbox.parked()].filter(({ id }) => run.outbox.open(id) !== undefined).length,
    /** What is sealed at rest, settled or not. */
    sealed: (): number =>
      run.journal.sql.all('SELECT 1 FROM message WHERE wrapped IS NOT NULL OR sealed IS NOT NULL').length,
    close() {
      run.close();
      rig.remove();
    },
  };
};

export type WrongGateway = ReturnType<typeof openWrongGateway>;
