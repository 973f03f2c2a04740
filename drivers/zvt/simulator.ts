/**
 * A simulated ZVT terminal on a link. It answers the protocol's bytes in either form, leads its commands as a terminal
 * does, and asks a pretend issuer of its own: nothing it approves is money.
 */
import { fromHex } from '../../src/base/hex.ts';
import { tlv } from '../../src/emv/tlv.ts';
import { currency, digits } from '../codec.ts';
import type { ZvtApdu } from '../framing/zvt-apdu.ts';
import { encodeZvtApdu } from '../framing/zvt-apdu.ts';
import { encodeZvtFrame } from '../framing/zvt-serial.ts';
import type { Link } from '../links/link.ts';
import { Outlet, type Spoiler } from '../simulation/faults.ts';
import type { Simulator, SimulatorOptions } from '../simulation/simulator.ts';
import type { Model } from '../simulation/station.ts';
import { simulatedConfig } from '../simulation/terminal-config.ts';
import { type Bmp, container } from './bmps.ts';
import { bytesOfText } from './characters.ts';
import { type CommandName, decodeRequest, type Request } from './commands.ts';
import { type Form, formOf } from './form.ts';
import { completionApdu, isAnswer, refusal, statusApdu, taken } from './messages.ts';
import { Lead } from './simulator-lead.ts';
import { memoryOf } from './simulator-memory.ts';
import { closeDay, repeat, reverse, type SaleTools, sell } from './simulator-sale.ts';
import { tags } from './tags.ts';
import { Transport } from './transport.ts';

/** Beside the common interface: what the terminal is doing, for tests and for the person who watches. */
export type ZvtSimulator = Simulator & { state(): 'idle' | 'off' | CommandName };

const spoilerOf = (form: Form): Spoiler => {
  const bytesOf = (apdu: ZvtApdu) => (form === 'serial' ? encodeZvtFrame(apdu) : encodeZvtApdu(apdu));
  // A frame has its checksum at the end; a bare APDU has none, and becomes one of no class.
  const spoilt = (at: number, length: number) => at === (form === 'serial' ? length - 1 : 0);
  return {
    spoil: (message) => message.map((byte, at) => (spoilt(at, message.length) ? byte ^ 0xff : byte)),
    unsolicited: () => bytesOf(statusApdu('F2')),
    unknown: () => bytesOf({ code: '0699', data: new Uint8Array(0) }),
  };
};

/** A simulator of this form whatever its link is called. */
export const zvtSimulatorOf =
  ({ form }: { form?: Form } = {}): ((link: Link, options: SimulatorOptions) => ZvtSimulator) =>
  (link, options) => {
    const device = new Device(link, options, form ?? formOf(link));
    return { state: () => device.state(), close: () => device.close() };
  };

/** TCP links carry bare APDUs, all others serial frames; several registers may be connected at a time. */
export const zvtSimulator = Object.assign(zvtSimulatorOf(), { several: true } as const) satisfies Model;

class Device {
  readonly #link: Link;
  readonly #options: SimulatorOptions;
  readonly #out: Outlet;
  readonly #transport: Transport;
  readonly #sale: SaleTools;
  #lead: Lead | undefined;
  #registered = false;
  #off = false;

  constructor(link: Link, options: SimulatorOptions, form: Form) {
    const { clock, random, cardholder, faults = [], report = () => {} } = options;
    this.#link = link;
    this.#options = options;
    const lost = (why: string) => this.#powerOff(why);
    const restart = () => this.#restart();
    this.#out = new Outlet({ link, faults, clock, random, spoiler: spoilerOf(form), lost, restart });
    const own = simulatedConfig({ model: 'ZVT' }, options.config);
    this.#sale = {
      clock,
      random,
      cardholder,
      config: own,
      memory: memoryOf(options.wallet, own.serial),
      textBlocks: false,
      lateMs: () => this.#out.lateMs(),
      report,
    };
    // The answer to a command is what faults mean by one; what follows it is said in the terminal's own lead.
    let answers = false;
    const put = (bytes: Uint8Array, kind: 'message' | 'acknowledgement') =>
      kind === 'message' ? this.#out.send(bytes, { answers }) : this.#acknowledge(bytes);
    this.#transport = new Transport({
      form,
      clock,
      repeats: 'whenSilent',
      put,
      heard: (apdu) => {
        answers = !isAnswer(apdu);
        this.#hear(apdu);
        answers = false;
      },
      noise: (bytes) => report(`${bytes} bytes could not be read`),
      failed: (why) => this.#quiet(why.message),
    });
    link.listen({ bytes: (bytes) => this.#transport.hear(bytes), closed: (why) => this.#powerOff(why.message) });
  }

  state(): 'idle' | 'off' | CommandName {
    return this.#off ? 'off' : (this.#lead?.name ?? 'idle');
  }

  async close(): Promise<void> {
    this.#powerOff('it was switched off');
    await this.#out.close();
  }

  #report(line: string): void {
    this.#options.report?.(line);
  }

  #powerOff(why: string): void {
    if (this.#off) return;
    this.#off = true;
    this.#report(`the link ended: ${why}`);
    this.#transport.stop();
    this.#lead?.leave();
  }

  /** The till takes nothing any more: the command is left, the terminal stays on. */
  #quiet(why: string): void {
    this.#report(why);
    this.#lead?.leave();
  }

  #restart(): void {
    this.#report('the terminal restarts');
    this.#registered = false;
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
    if (isAnswer(apdu)) return this.#lead?.answered(apdu.code);
    if (this.#out.heard() === 'restarted') return;
    const request = requestOf(apdu);
    if (typeof request === 'string') return this.#transport.send(refusal(request));
    if (request.name === 'abort') {
      this.#transport.send(taken);
      return this.#lead?.abort();
    }
    this.#begin(request);
  }

  #begin(request: Request) {
    if (this.#lead?.isOver()) this.#end(this.#lead);
    // A registration comes from a till that has started anew: what ran is left as if the link had been lost.
    if (request.name === 'registration' && this.#lead !== undefined) {
      this.#lead.leave();
      this.#end(this.#lead);
      this.#transport.clear();
    }
    const isOpen = request.name === 'registration' || request.name === 'status';
    // Another register may say hello and ask for the state meanwhile, and disturbs nobody by it.
    const isServed = this.#isElsewhere() && !isOpen && request.name !== 'logOff';
    if (this.#lead !== undefined || isServed) return this.#transport.send(refusal('A0'));
    if (!this.#registered && !isOpen) return this.#transport.send(refusal('6B'));
    const { last, closing } = this.#sale.memory;
    if (request.name === 'repeatReceipt' && last === undefined && closing === undefined) {
      return this.#transport.send(refusal('83'));
    }
    this.#transport.send(taken);
    if (request.name === 'logOff') this.#registered = false;
    else void this.#carryOut(request);
  }

  async #carryOut(request: Request): Promise<void> {
    const { clock } = this.#options;
    const lead = new Lead(request.name, { clock, say: (apdu) => this.#transport.send(apdu) });
    this.#lead = lead;
    const { memory } = this.#sale;
    memory.served ??= lead;
    // What follows the answer is said in another breath, so that faults can tell them apart.
    await lead.pause(0);
    await this.#run(request, lead);
    this.#end(lead);
  }

  #end(lead: Lead): void {
    const { memory } = this.#sale;
    if (memory.served === lead) memory.served = undefined;
    if (this.#lead === lead) this.#lead = undefined;
  }

  /** A command of another register runs. */
  #isElsewhere(): boolean {
    const { served } = this.#sale.memory;
    return served !== undefined && served !== this.#lead;
  }

  #run(request: Request, lead: Lead): Promise<unknown> {
    switch (request.name) {
      case 'registration':
        this.#registered = true;
        this.#sale.textBlocks = request.ask.textBlocks;
        return lead.tell(completionApdu(this.#about()));
      case 'status':
        return lead.tell(this.#status(request.ask.service ?? '00'));
      case 'authorisation':
        return sell(lead, this.#sale, { kind: 'payment', ...request.ask });
      case 'refund': {
        const { amountMinor, currency: unit } = request.ask;
        return sell(lead, this.#sale, { kind: 'refund', amountMinor, currency: unit });
      }
      case 'reversal':
        return reverse(lead, this.#sale, request.ask);
      case 'repeatReceipt':
        return repeat(lead, this.#sale, { withResult: isSet(request.ask.service, 0x01) });
      case 'endOfDay':
        return closeDay(lead, this.#sale);
      default:
        return lead.tell(completionApdu());
    }
  }

  /** The software version unless bit 2 leaves it out, the state, and who it is where bit 4 asks for it. */
  #status(service: string): ZvtApdu {
    const { tampered, firmware } = this.#sale.config;
    const { code, data } = completionApdu(isSet(service, 0x04) ? [this.#device()] : []);
    const length = [...firmware.length.toString().padStart(3, '0')].map((digit) => 0xf0 + Number(digit));
    const version = isSet(service, 0x02) ? [] : [...length, ...bytesOfText(firmware)];
    return { code, data: Uint8Array.of(...version, tampered ? 0xe4 : this.#isElsewhere() ? 0x9c : 0x00, ...data) };
  }

  #about(): Bmp[] {
    return [
      { number: '19', value: Uint8Array.of(0) },
      { number: '29', value: digits(4).encode(this.#sale.config.serial) },
      { number: '49', value: currency.encode('EUR') },
      this.#device(),
    ];
  }

  #device(): Bmp {
    const { model, firmware, serial } = this.#sale.config;
    return container([
      tlv(tags.deviceInformation, [
        tlv(tags.deviceName, bytesOfText(model)),
        tlv(tags.softwareVersion, bytesOfText(firmware)),
        tlv(tags.serialNumber, fromHex(serial)),
      ]),
    ]);
  }
}

/** Whether this bit of a service byte is set. */
const isSet = (service: string | undefined, bit: number): boolean => (Number.parseInt(service ?? '00', 16) & bit) !== 0;

/** The command, or the code of its refusal. */
const requestOf = (apdu: ZvtApdu): Request | string => {
  try {
    return decodeRequest(apdu) ?? '83';
  } catch {
    // A command that breaks its own rules is refused, never guessed at.
    return '9A';
  }
};
