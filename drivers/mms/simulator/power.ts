/** What the simulated MMS device does by the clock: its daily restart, the notice of it, the battery's warning. */
import { payloadOf } from '../protocol/message.ts';
import type { MmsUnit } from './unit.ts';

/** Once a day, with three minutes' warning. */
const restartEveryMs = 23 * 3_600_000;
const restartWarningMs = 180_000;
const restartTakesMs = 1_000;
/** How often a restart is told until the host has heard. */
const restartNoticeEveryMs = 10_000;
/** At this charge the device warns soon after it is switched on. */
const batteryLowPercent = 15;
const batteryNoticeAfterMs = 500;

export class Power {
  readonly #unit: MmsUnit;
  readonly #restart: () => void;
  readonly #timers = new Map<string, () => void>();

  /** `restart` is what the whole device does when its day is over. */
  constructor(unit: MmsUnit, restart: () => void) {
    this.#unit = unit;
    this.#restart = restart;
  }

  on(): void {
    this.#scheduleRestart();
    if (this.#unit.speaks('restart-told-at-start')) this.restart();
    if (this.#unit.speaks('battery-as-printed')) {
      this.#after('charged', batteryNoticeAfterMs, () => this.#unit.notifyCode({ id: '1001', detail: '00020200' }));
    }
    const { batteryPercent } = this.#unit.parts.config;
    if (batteryPercent > batteryLowPercent) return;
    this.#after('battery', batteryNoticeAfterMs, () =>
      this.#unit.notifyCode({ id: '1001', detail: `000200${hex(batteryPercent)}` }),
    );
  }

  /** The device has restarted, and says so until it is heard. */
  restart(): void {
    this.#unit.parts.store.put('resetSeen', 0);
    this.#after('restarting', restartTakesMs, () => this.#tellRestart());
    this.#scheduleRestart();
  }

  off(): void {
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
  }

  #tellRestart(): void {
    const { store } = this.#unit.parts;
    if (store.get('resetSeen') === 1) return;
    const payload = payloadOf('1001', Uint8Array.of(0x81, 1, store.online() ? 2 : 1, 0x82, 1, 0));
    this.#unit.notifyCode({ id: '1001', detail: '00000000' }, { payload });
    this.#after('told', restartNoticeEveryMs, () => this.#tellRestart());
  }

  #scheduleRestart(): void {
    this.#after('daily', restartEveryMs - restartWarningMs, () => {
      this.#unit.notifyCode({ id: '1001', detail: `000100${hex(restartWarningMs / 60_000)}` });
      this.#after('daily', restartWarningMs, () => this.#restart());
    });
  }

  #after(name: string, ms: number, then: () => void): void {
    this.#timers.get(name)?.();
    this.#timers.set(name, this.#unit.parts.clock.after(ms, then));
  }
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');
