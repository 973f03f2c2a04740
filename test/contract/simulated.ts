/** What a simulated terminal reports about itself to the real driver, however it is configured. */
import { expect, test } from 'vitest';
import type { Driver } from '../../drivers/driver.ts';
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Link } from '../../drivers/links/link.ts';
import { scriptedCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import type { Model } from '../../drivers/simulation/simulator.ts';
import type { TerminalConfig } from '../../drivers/simulation/terminal-config.ts';
import { isSimulated, type Terminal, type TerminalInfo } from '../../drivers/terminal.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

/**
 * Attempts to make a simulated terminal pass for a real one: names of real devices, an empty name, and one that is too
 * long.
 */
export const disguises: readonly Partial<TerminalConfig>[] = [
  {},
  { model: 'M020' },
  { model: 'DynaFlex II PED', serial: '12345678' },
  { model: 'VP6800', firmware: '2.00' },
  { model: 'Move/5000-MPI' },
  { model: 'simulated' },
  { model: '' },
  { model: 'X'.repeat(60) },
  { serial: '00000001', firmware: '' },
];

export const infoOf = async (
  { driver, model, carries = 'stream' }: { driver: Driver; model: Model; carries?: Link['carries'] },
  config: Partial<TerminalConfig>,
): Promise<TerminalInfo> => {
  const clock = virtualClock();
  const [deviceEnd, tillEnd] = memoryLinks(carries);
  const device = model(deviceEnd, { clock, random: seededRandom(3), cardholder: scriptedCardholder([]), config });
  const opening: Promise<Terminal | IntegratedTerminal> = driver.open(tillEnd, { clock, report: () => {} });
  const terminal = await clock.until(opening);
  const info = await clock.until(terminal.info());
  await clock.until(terminal.close());
  await clock.until(device.close());
  return info;
};

/** The tests: on each link that is named, the driver first reads SIMULATED. */
export const disguisedInVain = (
  { driver, model }: { driver: Driver; model: Model },
  ways: readonly Link['carries'][] = ['stream'],
): void => {
  test.each(disguises)('configured as %j it reports SIMULATED to the driver', async (config) => {
    for (const carries of ways) {
      const info = await infoOf({ driver, model, carries }, config);
      expect(info.model).toMatch(/^SIMULATED/);
      expect(isSimulated(info)).toBe(true);
    }
  });
};
