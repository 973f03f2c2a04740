/**
 * A simulated MMS device on a link of HID reports or a stream. It answers the protocol's bytes, runs real cryptograms
 * under the test keys, and restarts itself once a day as the card industry's rules want.
 */
import { byReport } from '../../links/by-report.ts';
import type { Link } from '../../links/link.ts';
import { Outlet } from '../../simulation/faults.ts';
import type { Simulator, SimulatorOptions } from '../../simulation/simulator.ts';
import type { TerminalConfig } from '../../simulation/terminal-config.ts';
import { unitParts } from '../../simulation/unit-parts.ts';
import { type MmsDialect, mmsDialects } from '../protocol/dialects.ts';
import type { MmsMessage } from '../protocol/message.ts';
import { bytesOf, type Going, messageReader } from '../protocol/wire.ts';
import { hear } from './commands.ts';
import { MmsCustomer } from './customer.ts';
import { Power } from './power.ts';
import { PropertyStore } from './store.ts';
import { type MmsTransaction, MmsUnit } from './unit.ts';

/** Beside the common interface: what the device is doing, for tests and for the person who watches. */
export type MmsSimulator = Simulator & {
  state(): 'idle' | 'off' | MmsTransaction['stage'];
  /** Makes the device say something unasked: eight hex digits of detail. */
  says(id: string, detail: string, payload?: Uint8Array): void;
  /** Sets a property as somebody else would, by its arcs. */
  setProperty(oid: string, value: Uint8Array): boolean;
};

const own: Partial<TerminalConfig> = {
  model: 'DynaFlex II PED',
  serial: 'B61378A',
  firmware: '1000007183-A1-PCI',
};

const spoilerFor = (going: Going) => {
  const notification = (id: string, detail: string) => bytesOf({ kind: 'notification', id, detail }, going);
  return {
    // There is no checksum: a report of no known type, a length that is not the message's.
    spoil(message: Uint8Array): Uint8Array {
      const at = going.carries === 'reports' ? 0 : 2;
      return message.map((byte, index) => (index === at ? 0x7f : byte));
    },
    // Somebody touches the display.
    unsolicited: () => notification('1001', '01050000'),
    unknown: () => notification('7F7F', '01020304'),
  };
};

/** Powers the device on at this link; the till is at the other end. Ends with the link. */
const powerOnMms = (bare: Link, options: SimulatorOptions): MmsSimulator => {
  const speaks = (dialect: MmsDialect): boolean => options.dialects?.includes(dialect) === true;
  const unlike = speaks('shows-at-till') ? { model: 'DynaFlex II' } : {};
  const parts = unitParts(options, { ...own, ...unlike }, mmsDialects);
  const { clock, random, config, keys, report } = parts;
  const link = byReport(bare);
  const going: Going = { carries: link.carries, from: 'device' };
  const store = new PropertyStore(config, keys);
  if (speaks('fallback-by-host')) store.put('fallback', 0);
  // Reports cannot come byte by byte.
  const faults = (options.faults ?? []).filter(({ kind }) => kind !== 'split' || link.carries === 'stream');
  let off = false;
  const powerOff = (why: string): void => {
    if (off) return;
    off = true;
    report(`the link ended: ${why}`);
    power.off();
    unit.reset();
    customer.leave();
  };
  const restart = () => {
    report('the device restarts');
    unit.reset();
    customer.leave();
    power.restart();
  };

  const out = new Outlet({ link, faults, clock, random, spoiler: spoilerFor(going), lost: powerOff, restart });
  const unit = new MmsUnit({ ...parts, store, outlet: out, going });
  const customer = new MmsCustomer(unit, options.cardholder);
  const power = new Power(unit, restart);
  const reader = messageReader(link.carries);

  const take = (message: MmsMessage): void => {
    if (off || message.kind !== 'request') return;
    if (out.heard() === 'restarted') return;
    hear({ unit, customer, restart }, message);
  };

  link.listen({
    bytes: (bytes) => {
      for (const piece of reader.push(bytes)) {
        if (piece.kind === 'noise') report(`${piece.bytes.length} bytes overlooked: ${piece.why}`);
        else if (piece.message.kind !== 'tooLong') take(piece.message);
      }
    },
    closed: (why) => powerOff(why.message),
  });
  power.on();

  return {
    state: () => (off ? 'off' : (unit.running()?.stage ?? 'idle')),
    says: (id, detail, payload) => unit.notifyCode({ id, detail }, payload === undefined ? {} : { payload }),
    setProperty: (oid, value) => store.write(oid, value),
    async close() {
      powerOff('it was switched off');
      await out.close();
    },
  };
};

export const mmsSimulator = Object.assign(powerOnMms, { dialects: mmsDialects });
