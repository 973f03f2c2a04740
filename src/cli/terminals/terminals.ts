/** `till terminals` lists what is plugged in. `till test-host` marks a terminal as being at its maker's test host. */
import type { Command } from 'commander';
import type { DeviceRow, PluggedAnswer } from '../../api/contract/devices.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { holdsTill } from '../../folder/till-exists.ts';
import { modeOfFolder } from '../../folder/till-folder.ts';
import { listPlugged } from '../../terminals/service.ts';
import { unwrap } from '../api-client.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { print, tell } from '../terms.ts';
import { folderOf, printJson } from '../till-folder.ts';
import { folderCommand, tillCommand } from '../till-options.ts';

export const addTerminals = (till: Command): void => {
  folderCommand(till, 'terminals', 'list what is plugged in and may be a terminal; opens nothing').action(list);
};

/** In a folder without a till it only lists what is plugged in, and creates no till. */
const list = async (flags: ApiFlags): Promise<void> => {
  const folder = folderOf(flags);
  if (!holdsTill(folder)) return printList(await listPlugged({}), undefined, { mode: modeOfFolder(folder), ...flags });
  await withTillApi(flags, async ({ api, shown }) => {
    printList(await unwrap(api.devices.plugged.$get()), await pairedAt({ api }, 'T1'), {
      mode: shown,
      json: flags.json,
    });
  });
};

type Showing = { mode: DisplayMode | undefined; json?: true | undefined };

const printList = (
  { candidates, problems }: PluggedAnswer,
  paired: DeviceRow | undefined,
  { mode, json }: Showing,
): void => {
  if (json === true) {
    const { address: terminal, written: device } = paired ?? {};
    printJson(mode, { candidates: candidates.map(candidateJson), problems, terminal, device });
    return;
  }
  for (const problem of problems) tell(problem);
  if (candidates.length === 0) tell('Nothing that may be a terminal is plugged in.');
  for (const candidate of candidates) print(candidateLine(candidate));
  print(pairedWords(paired));
  tell('To ask what answers, and pair it: npm run till -- pair');
};

/** The terminal paired at this counter. A simulated terminal that is used because none is paired does not count. */
export const pairedAt = async ({ api }: Pick<CommandSession, 'api'>, counter: string): Promise<DeviceRow | undefined> =>
  (await unwrap(api.devices.$get())).find((one) => one.counter === counter && one.simulated !== true);

const candidateJson = ({ place, fits, likely, family, usb, path }: DeviceRow) => ({
  ...{ place, fits, likely, family, usb, path },
});

const id = (value: number | undefined): string => (value ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** One line for a candidate: how likely it is a terminal, its address, and what USB says about it. */
const candidateLine = ({ likely = 'perhaps', place = '', fits = [], family, usb }: DeviceRow): string => {
  const sure = fits.length === 1 ? fits[0]?.address : undefined;
  const words = [
    family ?? usb?.product ?? (usb === undefined ? 'a port of the mainboard' : undefined),
    usb?.manufacturer,
    usb?.vendorId === undefined ? undefined : `USB ${id(usb.vendorId)}:${id(usb.productId)}`,
    usb?.serial === undefined ? undefined : `serial number ${usb.serial}`,
    sure === undefined ? `to be asked as ${fits.map(({ driver }) => driver).join(', ')}` : undefined,
  ].filter((part) => part !== undefined);
  return `${likely.padEnd(8)}  ${(sure ?? place).padEnd(32)}  ${words.join(' · ')}`;
};

const pairedWords = (paired: DeviceRow | undefined): string => {
  if (paired === undefined) return 'This till is paired with no terminal.';
  const { address, written } = paired;
  if (written === undefined) return `This till sells on ${address}.`;
  return `This till is paired with ${written.model}, serial number ${written.serial}, at ${address}, since ${written.pairedAt} UTC.`;
};

type TestHostFlags = ApiFlags & { counter: string; off?: true };

/** `till test-host`: a manager confirms that a terminal is at its maker's test host, so that a test till uses it. */
export const addTestHost = (till: Command): void => {
  const says =
    'confirm that a terminal that asks its bank itself uses its maker’s test host, so that a test till sells on it';
  tillCommand(till, 'test-host', says)
    .option('--counter <name>', 'which terminal', 'T1')
    .option('--off', 'it no longer uses a test host')
    .action(say);
};

const say = (flags: TestHostFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const { counter } = flags;
    const atTestHost = flags.off !== true;
    const { model, serial } = (await pairedAt({ api }, counter)) ?? {};
    await unwrap(
      api.devices[':counter']['test-host'].$post({
        param: { counter: encodeURIComponent(counter) },
        json: { atTestHost },
      }),
    );
    const device = `${model ?? ''} ${serial ?? ''}`.trim();
    const says = atTestHost
      ? `The till sells on ${device} from now on: you confirmed that it uses its maker’s test host.`
      : `The till does not sell on ${device} any more: it would charge real cards.`;
    show({ json: { counter, model, serial, atTestHost }, says });
  });
