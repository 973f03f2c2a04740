/**
 * Runs the commands of the ZVT driver to their end, over as many connections as the terminal wants: some close the line
 * after each command, others after a while without one. A line that was lost during a command is never dialled again
 * here: the till then opens the terminal anew, and asks for its last payment.
 */
import { Fault, isFault } from '../../../src/base/fault.ts';
import type { DriverTools } from '../../driver.ts';
import type { Link } from '../../links/link.ts';
import { join } from '../../session.ts';
import { resultOf } from '../protocol/codes.ts';
import { commands, encodeRequest, type ZvtAsk, type ZvtCommandName } from '../protocol/commands.ts';
import type { CharacterSet } from '../protocol/fields.ts';
import { readAbout, type ZvtTerminalInfo } from '../protocol/health.ts';
import { homeCurrency, type ZvtMessage } from '../protocol/messages.ts';
import type { ZvtFraming } from '../protocol/trace.ts';
import { Dialogue, type End, leadMs } from './dialogue.ts';
import type { DialogueEnd } from './dialogue-end.ts';
import { busyStates } from './last.ts';

/**
 * The till prints payment and administration receipts itself (02, 04) from lines that the terminal sends (80), receives
 * intermediate statuses (08), and is the only one that begins payments and administration (10, 20).
 */
const configuration = 'BE';

const shortMs = 60_000;
const logOffMs = 1_000;
/** Service byte of 0501: no software version before the state, but the device's identity. Source: 2.56. */
const withDevice = '06';

/** Function not possible, and protocol error: the terminal cannot read a request of this form. */
const unreadable: ReadonlySet<string> = new Set(['83', '9A']);

/** A line closed so soon after a command was closed because of it; such a terminal keeps its registration. */
const ENDS_WITHIN_MS = 2_000;
const REFUSED_ENDS_WITHIN_MS = 300;
/** After this long another device may have the same address. */
const SAME_DEVICE_MS = 60_000;

type Parts = { tools: DriverTools; password: string; form: ZvtFraming };
type WaitOptions = { withinMs: number; onMessage?: (message: ZvtMessage) => void; onAccepted?: () => void };

export class ZvtDevice {
  readonly tools: DriverTools;
  readonly password: string;
  readonly #form: ZvtFraming;
  readonly #port: string;
  #dialogue: Dialogue;
  #about: ZvtTerminalInfo | undefined;
  #characters: CharacterSet | undefined;
  /** The terminal closes the line after each command. */
  #endsEach = false;
  #isPlain = false;
  #isClosed = false;
  #isWaking = false;
  #abortsNext = false;
  readonly #wake = join(() => this.#wakeNow());

  constructor(link: Link, { tools, password, form }: Parts) {
    this.tools = tools;
    this.password = password;
    this.#form = form;
    this.#port = link.name;
    this.#dialogue = new Dialogue(link, tools, form);
  }

  /**
   * Registers, and reads the terminal's identity. Throws the faults of link and device, `terminal.refused`, and, for a
   * probe, `terminal.busy`.
   */
  async greet(): Promise<ZvtTerminalInfo> {
    const { looks } = this.tools;
    if (looks === true) await this.#refuseBusy();
    const registered = await (looks === true ? this.#next(() => this.#register()) : this.#register());
    const about = { ...registered, ...(await this.#next(() => this.#status())) };
    this.#about = about;
    return about;
  }

  /** Sent in the same turn if the line is open: a cancel in that turn then finds the command running. */
  run<N extends ZvtCommandName>(name: N, ask: ZvtAsk<N>, rest: WaitOptions): Promise<End> {
    return this.#awake(() => this.#give(name, ask, rest));
  }

  status(): Promise<ZvtTerminalInfo> {
    return this.#awake(() => this.#status());
  }

  async diagnose(): Promise<void> {
    need('diagnosis', await this.run('diagnosis', {}, { withinMs: leadMs }));
  }

  async abort(): Promise<void> {
    if (this.#isWaking) this.#abortsNext = true;
    else if (this.#dialogue.fate.idleLoss === undefined)
      await this.#dialogue.overtake(commands.abort.says, encodeRequest('abort', {}));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#dialogue.fate.why === undefined && this.#dialogue.runningCommand() === undefined) {
      try {
        await this.#give('logOff', {}, { withinMs: logOffMs });
      } catch (error) {
        // A terminal that does not answer the log-off is left all the same.
        if (error instanceof Fault) this.tools.report(error);
      }
    }
    await this.leave();
  }

  /** Closes without a log-off. */
  leave(): Promise<void> {
    this.#isClosed = true;
    return this.#dialogue.close();
  }

  async #awake<T>(give: () => Promise<T>): Promise<T> {
    const mayWake = this.#endsEach || this.#dialogue.fate.idleLoss !== undefined;
    if (!mayWake) return give();
    this.#isWaking = true;
    try {
      await this.#wake();
    } finally {
      this.#isWaking = false;
    }
    const input = give();
    if (this.#abortsNext) await this.abort();
    this.#abortsNext = false;
    return input;
  }

  #give<N extends ZvtCommandName>(name: N, ask: ZvtAsk<N>, rest: WaitOptions): Promise<End> {
    const { says, completes } = commands[name];
    return this.#dialogue.run({ name: says, completes, apdu: encodeRequest(name, ask), ...rest });
  }

  async #register(): Promise<ZvtTerminalInfo> {
    const { password } = this;
    const ask = { password, config: configuration, currency: homeCurrency, textBlocks: true };
    const about = readAbout(need('registration', await this.#give('registration', ask, { withinMs: shortMs })));
    this.#characters = about.characters;
    this.#dialogue.characters = about.characters;
    return about;
  }

  /** A terminal that knows no service byte is asked without one. */
  async #status(): Promise<ZvtTerminalInfo> {
    const service = this.#isPlain ? {} : { service: withDevice };
    const end = await this.#give('status', { password: this.password, ...service }, { withinMs: shortMs });
    if (this.#isPlain || end.kind !== 'refused' || !unreadable.has(end.code)) return readAbout(need('status', end));
    this.#isPlain = true;
    return this.#status();
  }

  /**
   * Asks for the state before the registration, which would take the terminal away from the register it is serving.
   * Even an answer that refuses proves a ZVT terminal.
   */
  async #refuseBusy(): Promise<void> {
    const ask = { password: this.password, service: withDevice };
    const end = await this.#give('status', ask, { withinMs: shortMs });
    const { state = '00' } = end.kind === 'completed' ? readAbout(end.data) : { state: end.code };
    if (busyStates.has(state)) throw new Fault('terminal.busy', { command: 'another register' });
  }

  /** A line that is closed after the first command can swallow the next one, which the terminal then never received. */
  async #next(give: () => Promise<ZvtTerminalInfo>): Promise<ZvtTerminalInfo> {
    try {
      return await this.#awake(give);
    } catch (error) {
      if (!isFault(error, 'link.lost') || this.tools.reopen === undefined) throw error;
      this.#endsEach = true;
      await this.#connect();
      return give();
    }
  }

  /** A line for the next command, if the terminal closed the previous one while idle. */
  async #wakeNow(): Promise<void> {
    const dialogue = this.#dialogue;
    if (dialogue.runningCommand() !== undefined) return;
    if (this.#endsEach) await this.#awaitEnd(dialogue.fate);
    const loss = dialogue.fate.idleLoss;
    if (loss === undefined || this.#isClosed || this.tools.reopen === undefined) return;
    this.#endsEach ||= loss.afterMs < ENDS_WITHIN_MS;
    if (!this.#endsEach && dialogue.fate.why !== undefined) this.tools.report(dialogue.fate.why);
    const isLongAgo = this.tools.clock.monotonic() - loss.at > SAME_DEVICE_MS;
    await this.#connect();
    if (this.#about === undefined || (this.#endsEach && !isLongAgo)) return;
    if (!this.#endsEach) await this.#register();
    this.#needSame(await this.#status());
    if (this.#endsEach && (await this.#dialogue.fate.isOverWithin(ENDS_WITHIN_MS))) await this.#connect();
  }

  /** What is sent on a line that is about to be closed is lost. After a refusal it is closed or stays open. */
  async #awaitEnd(end: DialogueEnd): Promise<void> {
    const { wasRefused } = end;
    const isOver = await end.isOverWithin(wasRefused ? REFUSED_ENDS_WITHIN_MS : ENDS_WITHIN_MS);
    if (!isOver && !wasRefused) this.#endsEach = false;
  }

  async #connect(): Promise<void> {
    const { reopen } = this.tools;
    const link = await reopen?.();
    if (link === undefined) return;
    if (this.#isClosed) return link.close();
    this.#dialogue = new Dialogue(link, this.tools, this.#form);
    this.#dialogue.characters = this.#characters;
  }

  /** Another device would receive this one's reversals. The till identifies it when it opens the terminal again. */
  #needSame({ serial, terminalId }: ZvtTerminalInfo): void {
    if (serial === this.#about?.serial && (terminalId ?? this.#about?.terminalId) === this.#about?.terminalId) return;
    const otherDeviceFault = new Fault('link.lost', { port: this.#port, why: 'another device answers there' });
    this.#dialogue.end(otherDeviceFault);
    throw otherDeviceFault;
  }
}

/** The data of a completion. Throws `terminal.refused` for any other end. */
const need = (name: ZvtCommandName, end: End): Uint8Array => {
  if (end.kind === 'completed') return end.data;
  const reason = resultOf(end.code).says;
  throw new Fault('terminal.refused', { command: commands[name].says, status: end.code, why: reason });
};
