/**
 * A simulated MMS device on a link of HID reports or a stream. It answers the protocol's bytes, computes real
 * cryptograms under the test keys, and restarts once a day as the card industry's rules require.
 */
import type { Link } from '../../links/link.ts';
import { Outlet } from '../../simulation/faults.ts';
import { type Simulator, type SimulatorOptions, unitParts } from '../../simulation/simulator.ts';
import type { TerminalConfig } from '../../simulation/terminal-config.ts';
import { type MmsDialect, mmsDialects } from '../protocol/dialects.ts';
import {
  encodeFramed,
  type FramingContext,
  type MmsMessage,
  messageReader,
  payloadOf,
  splitWrites,
} from '../protocol/messages.ts';
import { handleRequest } from './commands.ts';
import { MmsCustomer } from './customer.ts';
import { type MmsTransaction, MmsUnit, PropertyStore } from './unit.ts';

/** The device restarts once a day, with three minutes' warning. */
const restartEveryMs = 23 * 3_600_000;
const restartWarningMs = 180_000;
const restartTakesMs = 1_000;
/** How often a restart is reported until the host acknowledges it. */
const restartNoticeEveryMs = 10_000;
/** At or below this charge the device warns soon after it is switched on. */
const batteryLowPercent = 15;
const batteryNoticeAfterMs = 500;

class Power {
  readonly #unit: MmsUnit;
  readonly #restart: () => void;
  readonly #timers = new Map<string, () => void>();

  /** `restart` is what the whole device does at the end of its day. */
  constructor(unit: MmsUnit, restart: () => void) {
    this.#unit = unit;
    this.#restart = restart;
  }

  start(): void {
    this.#scheduleRestart();
    if (this.#unit.hasDialect('restart-told-at-start')) this.restart();
    if (this.#unit.hasDialect('battery-as-printed')) {
      this.#after('charged', batteryNoticeAfterMs, () => this.#unit.notifyCode({ id: '1001', detail: '00020200' }));
    }
    const { batteryPercent } = this.#unit.parts.config;
    if (batteryPercent > batteryLowPercent) return;
    this.#after('battery', batteryNoticeAfterMs, () =>
      this.#unit.notifyCode({ id: '1001', detail: `000200${hex(batteryPercent)}` }),
    );
  }

  /** The device has restarted, and reports it until the host acknowledges. */
  restart(): void {
    this.#unit.parts.store.put('resetSeen', 0);
    this.#after('restarting', restartTakesMs, () => this.#tellRestart());
    this.#scheduleRestart();
  }

  stop(): void {
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
  }

  #tellRestart(): void {
    const { store } = this.#unit.parts;
    if (store.get('resetSeen') === 1) return;
    const payload = payloadOf('1001', Uint8Array.of(0x81, 1, store.isOnline() ? 2 : 1, 0x82, 1, 0));
    this.#unit.notifyCode({ id: '1001', detail: '00000000' }, { payload });
    this.#after('told', restartNoticeEveryMs, () => this.#tellRestart());
  }

  #scheduleRestart(): void {
    this.#after('daily', restartEveryMs - restartWarningMs, () => {
      this.#unit.notifyCode({ id: '1001', detail: `000100${hex(restartWarningMs / 60_000)}` });
      this.#after('daily', restartWarningMs, () => this.#restart());
    });
  }

  #after(name: string, ms: number, action: () => void): void {
    this.#timers.get(name)?.();
    this.#timers.set(name, this.#unit.parts.clock.after(ms, action));
  }
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');

/** In addition to the common interface: what the device is doing, for tests and for a person watching. */
export type MmsSimulator = Simulator & {
  state(): 'idle' | 'off' | MmsTransaction['stage'];
  /** Makes the device send a notification: eight hex digits of detail. */
  notify(id: string, detail: string, payload?: Uint8Array): void;
  /** Sets a property by its arcs, as another program would. */
  setProperty(oid: string, value: Uint8Array): boolean;
};

const own: Partial<TerminalConfig> = {
  model: 'DynaFlex II PED',
  serial: 'B61378A',
  firmware: '1000007183-A1-PCI',
};

const spoilerFor = (context: FramingContext) => {
  const notification = (id: string, detail: string) => encodeFramed({ kind: 'notification', id, detail }, context);
  return {
    // There is no checksum: spoils with a report of no known type, or a length that does not match the message.
    spoil(message: Uint8Array): Uint8Array {
      const at = context.carries === 'reports' ? 0 : 2;
      return message.map((byte, index) => (index === at ? 0x7f : byte));
    },
    // Somebody touches the display.
    unsolicited: () => notification('1001', '01050000'),
    unknown: () => notification('7F7F', '01020304'),
  };
};

/** Powers the device on at this link; the till is at the other end. The device ends with the link. */
const powerOnMms = (plainLink: Link, options: SimulatorOptions): MmsSimulator => {
  const hasDialect = (dialect: MmsDialect): boolean => options.dialects?.includes(dialect) === true;
  const overrides = hasDialect('shows-at-till') ? { model: 'DynaFlex II' } : {};
  const parts = unitParts(options, { ...own, ...overrides }, mmsDialects);
  const { clock, random, config, keys, report } = parts;
  const link = splitWrites(plainLink);
  const context: FramingContext = { carries: link.carries, from: 'device' };
  const store = new PropertyStore(config, keys);
  if (hasDialect('fallback-by-host')) store.put('fallback', 0);
  // Reports cannot arrive byte by byte.
  const faults = (options.faults ?? []).filter(({ kind }) => kind !== 'split' || link.carries === 'stream');
  let off = false;
  const powerOff = (reason: string): void => {
    if (off) return;
    off = true;
    report(`the link ended: ${reason}`);
    power.stop();
    unit.reset();
    customer.leave();
  };
  const restart = () => {
    report('the device restarts');
    unit.reset();
    customer.leave();
    power.restart();
  };

  const out = new Outlet({ link, faults, clock, random, spoiler: spoilerFor(context), onLost: powerOff, restart });
  const unit = new MmsUnit({ ...parts, store, outlet: out, going: context });
  const customer = new MmsCustomer(unit, options.cardholder);
  const power = new Power(unit, restart);
  const reader = messageReader(link.carries);

  const take = (message: MmsMessage): void => {
    if (off || message.kind !== 'request') return;
    if (out.noteCommand() === 'restarted') return;
    handleRequest({ unit, customer, restart }, message);
  };

  link.listen({
    bytes: (bytes) => {
      for (const piece of reader.push(bytes)) {
        if (piece.kind === 'noise') report(`${piece.bytes.length} bytes overlooked: ${piece.why}`);
        else if (piece.message.kind !== 'tooLong') take(piece.message);
      }
    },
    closed: (fault) => powerOff(fault.message),
  });
  power.start();

  return {
    state: () => (off ? 'off' : (unit.currentTransaction()?.stage ?? 'idle')),
    notify: (id, detail, payload) => unit.notifyCode({ id, detail }, payload === undefined ? {} : { payload }),
    setProperty: (oid, value) => store.write(oid, value),
    async close() {
      powerOff('it was switched off');
      await out.close();
    },
  };
};

/** The simulated MMS device's timed actions: daily restart, its notification, and the battery warning. */
export const mmsSimulator = Object.assign(powerOnMms, { dialects: mmsDialects });
