/** The properties of the simulated MMS device: what it is, how it feels, and what the host may set. */
import type { KeySlots } from '../../simulation/key-slots.ts';
import type { TerminalConfig } from '../../simulation/terminal-config.ts';
import { type PropertyName, type PropertyValue, propertyNamed, propertyRow } from '../protocol/properties.ts';

/** Where the simulated keys lie; the usages are those of the manual's defaults. */
export const keyPlaces = { sred: '2007', pin: '2008', mac: '2009' } as const;
const usages = { pin: 1, mac: 2, data: 4, aes: 7 } as const;
const nowhere = { slot: '0000', usage: 1 } as const;

/** Units that have a display have a PIN pad too; the others leave showing to the host. */
export const hasDisplay = ({ model }: TerminalConfig): boolean => /\bPro\b|\bPED\b/.test(model);

type Values = Map<PropertyName, Uint8Array>;
const settable: ReadonlySet<PropertyName> = new Set(['arpcTimeout', 'arpcRetries', 'fallback', 'resetSeen']);

export class PropertyStore {
  readonly #config: TerminalConfig;
  readonly #keys: KeySlots;
  readonly #values: Values = new Map();

  constructor(config: TerminalConfig, keys: KeySlots) {
    this.#config = config;
    this.#keys = keys;
    this.put('arpcTimeout', 0xff);
    this.put('arpcRetries', 0);
    this.put('fallback', 1);
    this.put('resetSeen', 1);
    this.put('resetControl', 1);
    this.put('model', `${config.model}\0`);
    this.put('firmware', `${config.firmware}\0`);
    this.put('serial', config.serial);
    this.put('deviceKeys', Uint8Array.of(0, 0, 0, 3));
    this.put('transactionKeys', Object.values(keyPlaces));
    this.#mapKeys();
  }

  #mapKeys() {
    const aes = this.#keys.scheme !== 'tdesDukpt';
    const pin = { slot: keyPlaces.pin, usage: aes ? usages.aes : usages.pin };
    const pad = hasDisplay(this.#config);
    this.put('pinKey', pad && !aes ? pin : nowhere);
    this.put('pinKeyAes', pad && aes ? pin : { ...nowhere, usage: usages.aes });
    this.put('dataKey', { slot: keyPlaces.sred, usage: usages.data });
    this.put('macKey', { slot: keyPlaces.mac, usage: usages.mac });
  }

  put<N extends PropertyName>(name: N, value: PropertyValue<N>) {
    this.#values.set(name, propertyRow(name).holds.encode(value));
  }

  get<N extends PropertyName>(name: N): PropertyValue<N> | undefined {
    const held = this.#live(name) ?? this.#values.get(name);
    return held === undefined ? undefined : propertyRow(name).holds.decode(held);
  }

  /** The bytes of the property with these arcs, or undefined when there is none. */
  read(oid: string): Uint8Array | undefined {
    const name = propertyNamed(oid);
    return name === undefined ? undefined : (this.#live(name) ?? this.#values.get(name));
  }

  /** Sets what the host may set; false for the rest, and for a value that does not fit. */
  write(oid: string, value: Uint8Array): boolean {
    const name = propertyNamed(oid);
    if (name === undefined || !settable.has(name) || value.length !== 1) return false;
    this.#values.set(name, value);
    return true;
  }

  /** Online when nobody opened it and it has a key for card data. */
  online(): boolean {
    return !this.#config.tampered && this.#keys.states().sred.usesLeft > 0;
  }

  /** What is so at this moment. */
  #live(name: PropertyName): Uint8Array | undefined {
    const { tampered, batteryPercent } = this.#config;
    if (name === 'tampered') return Uint8Array.of(tampered ? 1 : 0);
    if (name === 'state') return Uint8Array.of(this.online() ? 2 : 1);
    if (name === 'offlineWhy') return Uint8Array.of(tampered ? 1 : this.online() ? 0 : 4);
    return name === 'battery' ? Uint8Array.of(batteryPercent) : undefined;
  }
}
