/** A simulated ZVT terminal that several tills reach at once, each over its own lines, which break when told. */
import type { IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import type { Link, LinkListener } from '../../../drivers/links/link.ts';
import { createWallet } from '../../../drivers/simulation/card.ts';
import { repeatingCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import type { TerminalConfig } from '../../../drivers/simulation/terminal-config.ts';
import { zvtDriver } from '../../../drivers/zvt/driver/driver.ts';
import { memoryOf } from '../../../drivers/zvt/simulator/memory.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator/simulator.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import type { IntegratedTerminals } from '../../../src/till/ports.ts';
import { memoryLinks } from '../devices/memory-link.ts';

/** Where a line breaks: a command that never arrives, or a message of the terminal that is never received. */
export type LineBreak = {
  /** How the lost message begins, hex. */
  lost: string;
  /** The message is lost only after a command that begins like this, hex. */
  after?: string;
  /** How many messages that begin like `lost` pass first. */
  goBy?: number;
  /** How long no line works afterwards. */
  downMs?: number;
};

export type ZvtTerminal = ReturnType<typeof zvtTerminal>;
export type ZvtLine = ReturnType<ZvtTerminal['line']>;

/** One device with its own records, whoever is connected. */
export const zvtTerminal = (clock: Clock, config: Partial<TerminalConfig> = {}, dialects: readonly string[] = []) => {
  const cards = createWallet();
  const memory = memoryOf(cards, config.serial);
  const cardholder = repeatingCardholder();
  const random = seededRandom(7);
  return {
    memory,
    /** Minor units charged according to it, payment by payment and without reversed ones. */
    charged: (): bigint[] =>
      memory.day.filter(({ kind, reversed }) => kind === 'payment' && !reversed).map(({ amountMinor }) => amountMinor),
    /** A till's line to it. */
    line: () => {
      const breaks: LineBreak[] = [];
      let downUntil = 0;
      const lines: string[] = [];
      const lost: string[] = [];
      const dial = (): Link => {
        if (clock.monotonic() < downUntil)
          throw new Fault('link.unavailable', { port: 'twin', why: 'the line is down' });
        const [device, till] = memoryLinks();
        zvtSimulatorOf({ form: 'apdu' })(device, { clock, random, cardholder, wallet: cards, config, dialects });
        let command = '';
        const isLost = (hex: string): boolean => {
          const [next] = breaks;
          if (next === undefined || !hex.startsWith(next.lost) || !command.startsWith(next.after ?? '')) return false;
          const { goBy = 0 } = next;
          next.goBy = goBy - 1;
          if (goBy <= 0) lost.push(hex);
          return goBy <= 0;
        };
        const disconnect = (link: Link): void => {
          downUntil = clock.monotonic() + (breaks.shift()?.downMs ?? 0);
          void link.close();
        };
        return breakableLink(till, {
          isLost,
          disconnect: () => disconnect(till),
          says(hex) {
            if (!hex.startsWith('80')) command = hex;
            lines.push(hex);
          },
        });
      };
      const tools = { clock, report: () => {}, reopen: async () => dial() };
      const connect = (): Promise<IntegratedTerminal> => zvtDriver({ form: 'apdu' }).open(dial(), tools);
      return { breaks, lines, lost, keep: () => keptTerminals(connect) };
    },
  };
};

type Watch = { isLost(hex: string): boolean; disconnect(): void; says(hex: string): void };

const breakableLink = (link: Link, { isLost, disconnect, says }: Watch): Link => {
  let wrappedListener: LinkListener | undefined;
  const lose = (): void => {
    disconnect();
    wrappedListener?.closed(new Fault('link.lost', { port: link.name, why: 'the test cut it' }));
  };
  return {
    ...link,
    async write(bytes) {
      const hex = toHex(bytes);
      if (isLost(hex)) return lose();
      says(hex);
      await link.write(bytes);
    },
    listen(listener) {
      wrappedListener = listener;
      link.listen({
        ...listener,
        bytes: (bytes) => (isLost(toHex(bytes)) ? lose() : listener.bytes(bytes)),
      });
    },
  };
};

/** As the runtime keeps a terminal: one link, reopened after a fault. */
const keptTerminals = (connect: () => Promise<IntegratedTerminal>): IntegratedTerminals => {
  let open: Promise<IntegratedTerminal> | undefined;
  return {
    async get() {
      open ??= connect();
      return open;
    },
    async drop() {
      const dropped = open;
      open = undefined;
      await dropped?.then((terminal) => terminal.close()).catch(() => undefined);
    },
  };
};
