/** Finds the paired terminal again when it is no longer at its port: plugged in elsewhere, or renumbered. */
import { parseAddress } from '../../drivers/address.ts';
import { candidatesOf, type ProbeTools, withTerminal } from '../../drivers/discovery.ts';
import { listPluggedDevices, type PluggedDevices } from '../../drivers/links/plugged.ts';
import { isFault } from '../base/fault.ts';
import type { PairedDevice } from '../folder/config.ts';
import { isPaired } from './paired-device.ts';

export type RefindTools = ProbeTools & { listPlugged?: () => Promise<PluggedDevices> };

/**
 * The address at which the paired device answers now, found by its serial number, or undefined when it is nowhere. Only
 * ports that may have such a terminal are probed, one after the other, and never the port where it is missing or a
 * `taken` one, where another counter sells. Call it when the stored address gave `link.unavailable`; a network terminal
 * is not searched for.
 */
export const refind = async (
  {
    address,
    device,
    takenAddresses = [],
  }: { address: string; device: PairedDevice; takenAddresses?: readonly string[] },
  tools: RefindTools,
): Promise<string | undefined> => {
  const { driver, link } = parseAddress(address);
  // Without a serial number any terminal of this model would match, even one of another till.
  if (link === 'tcp' || device.serial === '') return undefined;
  const { devices } = await (tools.listPlugged ?? listPluggedDevices)();
  const digits = device.serial.replace(/\D/g, '');
  const places = candidatesOf(devices)
    .filter(({ likely }) => likely !== 'unlikely')
    .flatMap(({ fits, usb }) => fits.map((candidates) => ({ ...candidates, usbSerial: usb?.serial })))
    .filter((place) => place.driver === driver && place.address !== address && !takenAddresses.includes(place.address))
    .sort((a, b) => Number(isNumber(b.usbSerial, digits)) - Number(isNumber(a.usbSerial, digits)));
  for (const place of places) if (await isDeviceAt(place.address, device, tools)) return place.address;
  return undefined;
};

/** Many devices use the same number on USB as in their protocol, some only part of it. */
const isNumber = (usbSerial: string | undefined, digits: string): boolean =>
  usbSerial !== undefined && digits !== '' && usbSerial.replace(/\D/g, '') === digits;

const isDeviceAt = async (address: string, device: PairedDevice, tools: ProbeTools): Promise<boolean> => {
  try {
    return await withTerminal(address, tools, async ({ terminal }) => isPaired(await terminal.info(), device));
  } catch (error) {
    // Whatever is there is not the terminal we look for, so its silence is not an error.
    if (isFault(error)) return false;
    throw error;
  }
};
