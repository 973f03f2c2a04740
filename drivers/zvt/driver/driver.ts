/** ZVT terminals: the till's interface for integrated terminals over the ZVT protocol. */
import { Fault } from '../../../src/base/fault.ts';
import { type Money, printMoney } from '../../../src/base/money.ts';
import type { IntegratedDriver } from '../../driver.ts';
import type {
  IntegratedOutcome,
  IntegratedRequest,
  IntegratedTerminal,
  Reversible,
} from '../../integrated-terminal.ts';
import type { TerminalEvent, TerminalHealth, TerminalInfo } from '../../terminal.ts';
import { lockWords, resultOf, statusOf } from '../protocol/codes.ts';
import { commands, type ZvtAsk, type ZvtCommandName } from '../protocol/commands.ts';
import { zvtDialectDetector } from '../protocol/dialect-detection.ts';
import { problemsOf, wantsDiagnosis, type ZvtTerminalInfo } from '../protocol/health.ts';
import { homeCurrency, readResult, type ZvtMessage, type ZvtResult } from '../protocol/messages.ts';
import { formOf, type ZvtFraming, zvtNarrator, zvtScribe } from '../protocol/trace.ts';
import { ZvtDevice } from './device.ts';
import { leadMs } from './dialogue.ts';
import { askLast, askNewest, type LastPaymentQueries } from './last.ts';
import { outcomeOf, Receipts, type ZvtCommandResult } from './outcome.ts';

/** When the customer's time is up, the terminal is told to stop and has this long to end. */
const graceMs = 60_000;
/** An end of day can dial its host and send a day's payments. */
const endOfDayMs = 900_000;
/** The terminal adds up its totals, and their receipt is as long as that of a day's end. */
const totalsMs = 60_000;
/** Service byte of 0620: results (040F) are wanted as well as the receipt. Source: PA00P015 13.08, 2.20. */
const withResults = '01';

export type ZvtOptions = {
  /** Six digits. */
  password?: string;
  /** By default the link's name decides: `tcp://…` carries bare APDUs, everything else serial frames. */
  form?: ZvtFraming;
};

/** A driver with its own password or form. */
export const zvtDriver = ({ password = '000000', form }: ZvtOptions = {}): IntegratedDriver => ({
  kind: 'integrated',
  name: 'zvt',
  title: 'ZVT',
  // Many manufacturers use it, behind USB serial converters of any kind: a terminal is found by its answer.
  usb: [],
  // The document's own port, and those of terminals in the field (Portalum.Zvt, issues 6, 16, 33 and 42).
  tcpPorts: [20_007, 22_000, 5_001],
  serial: { baudRate: 9_600, stopBits: 2 },
  scribe: zvtScribe,
  narrator: zvtNarrator,
  detector: zvtDialectDetector,
  async open(link, tools) {
    const device = new ZvtDevice(link, { tools, password, form: form ?? formOf(link) });
    try {
      return new ZvtTerminal(device, await device.greet());
    } catch (error) {
      await device.leave();
      throw error;
    }
  },
});

export const zvt: IntegratedDriver = zvtDriver();

type ExchangeOptions = {
  withinMs: number;
  notify?: (event: TerminalEvent) => void;
  requested?: Money;
  onAccepted?: (() => void) | undefined;
};

class ZvtTerminal implements IntegratedTerminal {
  readonly #device: ZvtDevice;
  readonly #about: ZvtTerminalInfo;
  /** The trace number of the last approved payment on this connection. */
  #before: string | undefined;

  constructor(device: ZvtDevice, about: ZvtTerminalInfo) {
    this.#device = device;
    this.#about = about;
  }

  async info(): Promise<TerminalInfo> {
    const { model = 'ZVT', serial, terminalId = '', firmware = '' } = this.#about;
    return { model, serial: serial ?? terminalId, firmware };
  }

  async health(): Promise<TerminalHealth> {
    let about = await this.#device.status();
    if (wantsDiagnosis(about)) {
      await this.#device.diagnose();
      about = await this.#device.status();
    }
    const problems = problemsOf(about);
    return { ok: problems.length === 0, problems };
  }

  async echo(): Promise<void> {
    await this.#device.status();
  }

  async pay(
    { amount, withinMs, onAccepted }: IntegratedRequest,
    notify: (event: TerminalEvent) => void,
  ): Promise<IntegratedOutcome> {
    const ask = { amountMinor: amount.minor, currency: amount.currency };
    return this.#money('authorisation', withPositiveAmount(ask), { withinMs, notify, requested: amount, onAccepted });
  }

  async refund(
    { amount, withinMs, onAccepted }: IntegratedRequest,
    notify: (event: TerminalEvent) => void,
  ): Promise<IntegratedOutcome> {
    const { password } = this.#device;
    const ask = { password, amountMinor: amount.minor, currency: amount.currency };
    return this.#money('refund', withPositiveAmount(ask), { withinMs, notify, requested: amount, onAccepted });
  }

  async reverse(
    { receiptNumber, amount }: Reversible,
    notify: (event: TerminalEvent) => void,
  ): Promise<IntegratedOutcome> {
    if (!/^\d{1,4}$/.test(receiptNumber) || Number(receiptNumber) === 0) {
      throw new Fault('terminal.refused', {
        command: commands.reversal.says,
        status: '-',
        why: 'a receipt number has one to four digits and is not zero',
      });
    }
    const { password } = this.#device;
    const ask = { password, receipt: receiptNumber, amountMinor: amount.minor, currency: amount.currency };
    return this.#money('reversal', ask, { withinMs: leadMs, notify });
  }

  lastOutcome(): Promise<IntegratedOutcome | { kind: 'none' }> {
    return askLast(this.#asking());
  }

  newestBooked(): Promise<string | undefined> {
    return askNewest(this.#asking());
  }

  #asking(): LastPaymentQueries {
    const { password, tools } = this.#device;
    return {
      repeat: () => this.#facts('repeatReceipt', { password, service: withResults }, { withinMs: leadMs }),
      totals: () => this.#facts('totals', { password }, { withinMs: totalsMs }),
      state: async () => (await this.#device.status()).state ?? '00',
      clock: tools.clock,
    };
  }

  cancel(): Promise<void> {
    return this.#device.abort();
  }

  async endOfDay(): Promise<{ lines: readonly string[] }> {
    const { password } = this.#device;
    const { end, results, receipts, name } = await this.#facts('endOfDay', { password }, { withinMs: endOfDayMs });
    const bad = results.find(({ code }) => code !== '00')?.code ?? (end.kind === 'completed' ? undefined : end.code);
    if (bad !== undefined) {
      const locked = results.length === 0 ? lockWords[bad] : undefined;
      throw new Fault('terminal.refused', { command: name, status: bad, why: locked ?? resultOf(bad).says });
    }
    if (receipts.allLines.length > 0) return { lines: receipts.allLines };
    // A terminal that prints its own closing receipt still reports the total.
    return { lines: results.slice(-1).flatMap(totalLine) };
  }

  close(): Promise<void> {
    return this.#device.close();
  }

  async #money<N extends ZvtCommandName>(
    name: N,
    ask: ZvtAsk<N>,
    exchange: ExchangeOptions,
  ): Promise<IntegratedOutcome> {
    const newestBefore = this.#before;
    const facts = await this.#facts(name, ask, exchange);
    return outcomeOf({ ...facts, newestBefore, asItWasMade: true });
  }

  /** Runs a command to its end and collects its messages. When its time is up the terminal is told to stop. */
  async #facts<N extends ZvtCommandName>(
    name: N,
    ask: ZvtAsk<N>,
    exchange: ExchangeOptions,
  ): Promise<ZvtCommandResult> {
    const { withinMs, notify, requested, onAccepted } = exchange;
    const receipts = new Receipts();
    const results: ZvtResult[] = [];
    const handleMessage = (message: ZvtMessage): void => {
      if (message.kind === 'print') receipts.add(message);
      if (message.kind === 'result') results.push({ ...readResult(message), heardAt: this.#device.tools.clock.now() });
      const event = message.kind === 'status' ? statusOf(message.code).event : undefined;
      if (event !== undefined) notify?.(event);
    };
    const stop = this.#device.tools.clock.after(withinMs, () => this.#stop());
    try {
      const rest = { withinMs: withinMs + graceMs, onMessage: handleMessage, onAccepted };
      const end = await this.#device.run(name, ask, rest);
      const last = results.at(-1);
      if (last?.code === '00') this.#before = last.details.traceNumber ?? this.#before;
      this.#reportDropped(receipts);
      return { name: commands[name].says, end, results, receipts: receipts.sortByReceipt(), requested };
    } finally {
      stop();
    }
  }

  /** The end of the command says how it ended; a failed abort is only worth a report. */
  #stop(): void {
    this.#device.abort().catch((error: unknown) => {
      if (error instanceof Fault) this.#device.tools.report(error);
    });
  }

  #reportDropped(receipts: Receipts): void {
    const count = receipts.droppedCount();
    if (count > 0) this.#device.tools.report(new Fault('terminal.strays', { count }));
  }
}

/** Throws `amount.unpositive`. */
const withPositiveAmount = <T extends { amountMinor: bigint; currency: string }>(ask: T): T => {
  const { amountMinor: minor, currency } = ask;
  if (minor <= 0n) throw new Fault('amount.unpositive', { amount: printMoney({ minor, currency }) });
  return ask;
};

const totalLine = ({ amountMinor: minor, currency = homeCurrency }: ZvtResult): string[] =>
  minor === undefined ? [] : [`TOTAL ${printMoney({ minor, currency })}`];
