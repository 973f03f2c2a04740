/**
 * A till's cables: its line to the gateway and the cable of its terminal. They are pulled at one place, before what is
 * sent there leaves, or after it was received and before its answer arrives.
 */
import type { IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import type { Terminal } from '../../../drivers/terminal.ts';
import type { TillOptions } from '../../../src/app/start-till.ts';
import { Fault } from '../../../src/base/fault.ts';
import type { Host, HostReply, KeptTerminal } from '../../../src/till/ports.ts';

export type CutPlace = {
  readonly cable: 'gateway' | 'terminal';
  /** The index, within the whole day, of the request or of the command to the terminal; from 0. */
  readonly at: number;
  readonly when: 'before' | 'after';
};

/** How many requests find the line cut, starting with the one at the place. */
const CUT_FOR = 3;

export const openCables = (place?: CutPlace) => {
  const passed = { gateway: 0, terminal: 0 };
  let isHealed = false;

  const cutAt = (cable: CutPlace['cable'], lengthCount: number): CutPlace['when'] | undefined => {
    const nth = passed[cable];
    passed[cable] += 1;
    const isCut = !isHealed && place?.cable === cable && place.at <= nth && nth < place.at + lengthCount;
    return isCut ? place.when : undefined;
  };

  const runOverLine = async (send: () => Promise<HostReply>): Promise<HostReply> => {
    const cut = cutAt('gateway', CUT_FOR);
    if (cut === 'before') return { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'the cord is out' }) };
    const reply = await send();
    return cut === 'after' ? { kind: 'silent', fault: new Fault('host.silent', { why: 'the cord is out' }) } : reply;
  };

  const host = (real: Host): Host => ({
    ...real,
    pay: (parameters, key) => runOverLine(() => real.pay(parameters, key)),
    refer: (payment, parameters, key) => runOverLine(() => real.refer(payment, parameters, key)),
    find: (id, linked) => runOverLine(() => real.find(id, linked)),
    list: (period) => runOverLine(() => real.list(period)),
  });

  const runOverCable = async (command: () => Promise<unknown>): Promise<unknown> => {
    const cut = cutAt('terminal', 1);
    const lost = () => new Fault('link.lost', { port: 'the counter', why: 'the cable is out' });
    if (cut === 'before') throw lost();
    const outcome = await command();
    if (cut === 'after') throw lost();
    return outcome;
  };

  /** All commands use the cable except `close`, which never fails. */
  const throughCable = <T extends Terminal | IntegratedTerminal>(terminal: T): T =>
    new Proxy(terminal, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== 'function' || name === 'close' || name === 'cancel') return member;
        return (...values: unknown[]) => runOverCable(async () => member.apply(target, values));
      },
    });

  const stored = <T extends Terminal | IntegratedTerminal>(real: KeptTerminal<T>): KeptTerminal<T> => {
    const known = new WeakMap<T, T>();
    return {
      async get() {
        const terminal = await real.get();
        const wrapped = known.get(terminal) ?? throughCable(terminal);
        known.set(terminal, wrapped);
        return wrapped;
      },
      drop: real.drop,
    };
  };

  return {
    /** The number of requests and commands so far. */
    passed,
    heal() {
      isHealed = true;
    },
    around: { host, terminals: stored, integrated: stored } satisfies TillOptions['around'],
  };
};
