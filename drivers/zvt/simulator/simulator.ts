/**
 * A simulated ZVT terminal on a link. It answers the protocol's bytes in either form, leads its commands as a terminal
 * does, and asks a pretend issuer of its own: no real money is involved.
 */
import { encodeZvtApdu, encodeZvtFrame, type ZvtApdu } from '../../framing/zvt-frame.ts';
import type { Link } from '../../links/link.ts';
import { Outlet, type Spoiler } from '../../simulation/faults.ts';
import { chosenDialects, type Model, type Simulator, type SimulatorOptions } from '../../simulation/simulator.ts';
import { simulatedConfig } from '../../simulation/terminal-config.ts';
import type { ZvtAsk, ZvtCommandName, ZvtRequest } from '../protocol/commands.ts';
import { type Lock, lockOf, type ZvtDialectPredicate, zvtDialects } from '../protocol/dialects.ts';
import { abortedApdu, accepted, completionApdu, isAnswer, refusalApdu, statusApdu } from '../protocol/messages.ts';
import { formOf, type ZvtFraming } from '../protocol/trace.ts';
import { Transport } from '../protocol/transport.ts';
import { aboutOf, isShowing, repeat, repeatRefusal, statusOf } from './about.ts';
import { applyDialect, Lead } from './lead.ts';
import { memoryOf, Socket } from './memory.ts';
import { type Register, refusalOf, registerOf, requestOf, unregistered } from './register.ts';
import { closeDay, reverse, type SaleTools, sell } from './sale.ts';

/** In addition to the common interface: what the terminal is doing, for tests and for a person watching. */
export type ZvtSimulator = Simulator & { state(): 'idle' | 'off' | ZvtCommandName };

const spoilerOf = (form: ZvtFraming): Spoiler => {
  const bytesOf = (apdu: ZvtApdu) => (form === 'serial' ? encodeZvtFrame(apdu) : encodeZvtApdu(apdu));
  // A frame ends with its checksum; a bare APDU has none, and gets an invalid class instead.
  const isSpoiltByte = (at: number, length: number) => at === (form === 'serial' ? length - 1 : 0);
  return {
    spoil: (message) => message.map((byte, index) => (isSpoiltByte(index, message.length) ? byte ^ 0xff : byte)),
    unsolicited: () => bytesOf(statusApdu('F2')),
    unknown: () => bytesOf({ code: '0699', data: new Uint8Array(0) }),
  };
};

/** A simulator of this form, whatever its link is called. */
export const zvtSimulatorOf =
  ({ form }: { form?: ZvtFraming } = {}): ((link: Link, options: SimulatorOptions) => ZvtSimulator) =>
  (link, options) => {
    const device = new Device(link, options, form ?? formOf(link));
    return { state: () => device.state(), close: () => device.close() };
  };

/** TCP links carry bare APDUs, all others serial frames; several registers can be connected at a time. */
export const zvtSimulator = Object.assign(zvtSimulatorOf(), {
  several: true,
  dialects: zvtDialects,
} as const) satisfies Model;

class Device {
  readonly #link: Link;
  readonly #options: SimulatorOptions;
  readonly #out: Outlet;
  readonly #transport: Transport;
  readonly #sale: SaleTools;
  readonly #socket: Socket;
  #lead: Lead | undefined;
  #off = false;

  constructor(link: Link, options: SimulatorOptions, form: ZvtFraming) {
    const { clock, random, cardholder, faults = [], report = () => {} } = options;
    this.#link = link;
    this.#options = options;
    const onLost = (reason: string) => this.#powerOff(reason);
    const restart = () => this.#restart();
    this.#out = new Outlet({ link, faults, clock, random, spoiler: spoilerOf(form), onLost, restart });
    const dialects = chosenDialects(zvtDialects, options.dialects ?? []);
    const isDialect: ZvtDialectPredicate = (dialect) => dialects.has(dialect);
    const own = simulatedConfig({ model: 'ZVT' }, options.config);
    const memory = memoryOf(options.wallet, own.serial);
    this.#sale = {
      clock,
      random,
      cardholder,
      config: own,
      memory,
      register: (isDialect('socket-each') ? memory.register : undefined) ?? unregistered,
      isDialect,
      lateMs: () => this.#out.lateMs(),
      report,
    };
    // Faults count only the first message as the answer to a command; the terminal sends the others while it leads.
    let answers = false;
    const put = (bytes: Uint8Array, kind: 'message' | 'acknowledgement') =>
      kind === 'message' ? this.#out.send(bytes, { answers }) : this.#acknowledge(bytes);
    this.#transport = new Transport({
      form,
      clock,
      repeats: 'whenSilent',
      put,
      received: (apdu) => {
        answers = !isAnswer(apdu);
        this.#hear(apdu);
        answers = false;
      },
      noise: (bytes) => report(`${bytes} bytes could not be read`),
      failed: (fault) => this.#quiet(fault.message),
    });
    this.#socket = new Socket({ clock, memory, isDialect, hangUp: (reason) => this.#hangUp(reason) });
    link.listen({ bytes: (bytes) => this.#transport.handle(bytes), closed: (fault) => this.#powerOff(fault.message) });
    this.#socket.onOpened();
  }

  state(): 'idle' | 'off' | ZvtCommandName {
    return this.#off ? 'off' : (this.#lead?.name ?? 'idle');
  }

  async close(): Promise<void> {
    this.#powerOff('it was switched off');
    await this.#out.close();
  }

  #report(line: string): void {
    this.#options.report?.(line);
  }

  #powerOff(reason: string): void {
    if (this.#off) return;
    this.#off = true;
    this.#socket.onClosed();
    this.#report(`the link ended: ${reason}`);
    this.#transport.stop();
    this.#lead?.leave();
  }

  #hangUp(reason: string): void {
    this.#powerOff(reason);
    void this.#out.close();
  }

  /** The till accepts nothing any more: the command is abandoned, the terminal stays on. */
  #quiet(reason: string): void {
    this.#report(reason);
    this.#lead?.leave();
  }

  #restart(): void {
    this.#report('the terminal restarts');
    this.#sale.register = unregistered;
    this.#transport.clear();
    this.#lead?.leave();
    this.#lead = undefined;
  }

  #acknowledge(bytes: Uint8Array): void {
    if (this.#off) return;
    this.#link.write(bytes).catch(() => this.#powerOff('it took no more bytes'));
  }

  #hear(apdu: ZvtApdu) {
    if (this.#off) return;
    if (isAnswer(apdu)) return this.#lead?.onAnswer(apdu);
    if (this.#lead?.isOver() && this.#sale.isDialect('socket-each')) this.#socket.onCommandEnd();
    if (this.#socket.isEnding) return;
    this.#socket.onBusy();
    this.#take(apdu);
    if (this.#lead === undefined) this.#socket.onIdle();
  }

  #take(apdu: ZvtApdu) {
    if (this.#out.noteCommand() === 'restarted') return;
    const request = requestOf(apdu);
    if (typeof request === 'string') return this.#transport.send(refusalApdu(request));
    if (request.name === 'abort') {
      this.#transport.send(accepted);
      return this.#lead?.abort();
    }
    this.#begin(request);
  }

  #begin(request: ZvtRequest) {
    if (this.#lead?.isOver()) this.#end(this.#lead);
    // A registration comes from a till that has restarted: the running command is abandoned as after a lost link.
    if (request.name === 'registration' && this.#lead !== undefined) {
      this.#lead.leave();
      this.#end(this.#lead);
      this.#transport.clear();
    }
    const isOpen = request.name === 'registration' || request.name === 'status';
    // Meanwhile another register can register and ask for the state without disturbing anything.
    const isServed = this.#isElsewhere() && !isOpen && request.name !== 'logOff';
    if (this.#lead !== undefined || isServed) return this.#transport.send(refusalApdu('A0'));
    const refused = refusalOf(request, this.#sale.isDialect) ?? this.#repeatRefusal(request);
    if (refused !== undefined) return this.#transport.send(refused);
    this.#transport.send(accepted);
    if (request.name === 'logOff') this.#setRegister(unregistered);
    else void this.#carryOut(request);
  }

  #repeatRefusal({ name }: ZvtRequest): ZvtApdu | undefined {
    return name === 'repeatReceipt' ? repeatRefusal(this.#sale) : undefined;
  }

  async #carryOut(request: ZvtRequest): Promise<void> {
    const { clock } = this.#options;
    const { isDialect } = this.#sale;
    const dress = (apdu: ZvtApdu) => applyDialect(apdu, isDialect);
    const lead = new Lead(request.name, { clock, send: (apdu) => this.#transport.send(apdu), adapt: dress });
    this.#lead = lead;
    const { memory } = this.#sale;
    memory.served ??= lead;
    // What follows the answer is sent in a later turn, so that faults can tell them apart.
    await lead.pause(0);
    const lock = this.#lock();
    if (lock !== undefined && !worksLocked.has(request.name) && request.name !== lock.lifts)
      await lead.tell(abortedApdu(lock.state));
    else await this.#run(request, lead);
    if (lock?.lifts === request.name && !lead.isGone()) memory.isUnlocked = true;
    this.#end(lead);
    if (!this.#off && !this.#socket.isEnding && this.#lead === undefined) this.#socket.onCommandEnd();
  }

  #setRegister(register: Register): void {
    this.#sale.register = register;
    this.#sale.memory.register = register;
  }

  /** The state that prevents payments, until the command that ends it. */
  #lock(): Lock | undefined {
    const { memory, isDialect } = this.#sale;
    return memory.isUnlocked ? undefined : lockOf(isDialect);
  }

  #end(lead: Lead): void {
    const { memory } = this.#sale;
    if (memory.served === lead) memory.served = undefined;
    if (commandsWithEndScreen.has(lead.name)) memory.shownUntil = this.#options.clock.monotonic() + END_SCREEN_MS;
    if (this.#lead === lead) this.#lead = undefined;
  }

  /** A command of another register is running. */
  #isElsewhere(): boolean {
    const { served } = this.#sale.memory;
    return served !== undefined && served !== this.#lead;
  }

  #run(request: ZvtRequest, lead: Lead): Promise<unknown> {
    switch (request.name) {
      case 'registration':
        this.#setRegister(this.#registered(request.ask));
        return lead.tell(completionApdu(aboutOf(this.#sale)));
      case 'status':
        return lead.tell(statusOf(this.#sale, { service: request.ask.service, state: this.#state() }));
      case 'authorisation':
        return sell(lead, this.#sale, { kind: 'payment', ...request.ask });
      case 'refund': {
        const { password: _, ...loggedAsk } = request.ask;
        return sell(lead, this.#sale, { kind: 'refund', ...loggedAsk });
      }
      case 'reversal':
        return reverse(lead, this.#sale, request.ask);
      case 'repeatReceipt':
        return repeat(lead, this.#sale, request.ask.service);
      case 'endOfDay':
        return closeDay(lead, this.#sale, { closes: true });
      case 'totals':
        return closeDay(lead, this.#sale, { closes: false });
      case 'reset':
      case 'diagnosis':
      case 'selfTest':
      case 'setClock':
      case 'initialisation':
        return lead.tell(completionApdu());
      default:
        // These two commands were already answered above. A table row without a case does not compile.
        request satisfies { name: 'abort' | 'logOff' };
        return Promise.resolve();
    }
  }

  #registered(ask: ZvtAsk<'registration'>): Register {
    const { isDialect } = this.#sale;
    const register = registerOf(ask);
    return {
      ...register,
      containers: register.containers || isDialect('containers-always'),
      textBlocks: register.textBlocks && !isDialect('prints-lines') && !isDialect('prints-styled'),
    };
  }

  #state(): number {
    const lock = this.#lock();
    if (this.#sale.config.tampered) return 0xe4;
    if (this.#isElsewhere() || isShowing(this.#sale)) return 0x9c;
    return lock === undefined ? 0x00 : Number.parseInt(lock.state, 16);
  }
}

/** The commands after which the outcome is shown, and for how long. */
const commandsWithEndScreen: ReadonlySet<ZvtCommandName> = new Set(['authorisation', 'refund', 'reversal']);
const END_SCREEN_MS = 3_000;

/** What still works in a locked state (PA00P015 13.08, 7.1). */
const worksLocked: ReadonlySet<ZvtCommandName> = new Set(['registration', 'status']);
