/** Which of the plugged-in HID devices is meant, and in words why none can be told. */
import { printable } from '../../src/base/mask.ts';
import type { HidPlugged } from './hid-system.ts';

export type HidWanted = { vendorId: number; productId: number; serial?: string };

/** Usage pages from here on are the vendors' own; below are keyboards and the like that the same device may also be. */
const vendorPages = 0xff00;

/** The path of the one device that is meant, or why there is no one such device. */
export const findHid = (all: readonly HidPlugged[], wanted: HidWanted): { path: string } | { why: string } => {
  const { vendorId, productId, serial } = wanted;
  const ofVendor = all.filter((each) => each.vendorId === vendorId);
  const alike = devicesOf(ofVendor.filter((each) => each.productId === productId));
  const meant = serial === undefined ? alike : alike.filter((each) => each.serial === serial);
  const [one, another] = meant;
  if (one !== undefined && another === undefined) return { path: one.path };
  if (one !== undefined) return { why: severalWords(meant) };
  if (alike.length > 0) return { why: `no such serial number; plugged in: ${listed(alike)}` };
  const others = devicesOf(ofVendor);
  const besides = others.length === 0 ? 'nothing of this vendor is' : `of this vendor: ${listed(others)}`;
  return { why: `it is not plugged in; ${besides}` };
};

/** One entry for each device: systems list a device once for every use and every interface it has. */
const devicesOf = (entries: readonly HidPlugged[]): HidPlugged[] => {
  const isOwn = ({ usagePage = vendorPages }: HidPlugged) => usagePage >= vendorPages;
  const own = entries.filter(isOwn);
  const chosen = own.length > 0 ? own : entries;
  return [...new Map(chosen.map((each) => [`${each.productId} ${each.serial ?? each.path}`, each])).values()];
};

const severalWords = (meant: readonly HidPlugged[]): string => {
  const serials = meant.flatMap(({ serial }) => (serial === undefined ? [] : [serial]));
  const cure =
    new Set(serials).size === meant.length
      ? 'name one by its serial number'
      : 'they cannot be told apart: leave only one plugged in';
  return `${meant.length} such devices are plugged in: ${listed(meant)}; ${cure}`;
};

const listed = (devices: readonly HidPlugged[]): string => {
  const words = devices.slice(0, 6).map(({ vendorId, productId, product = 'device', serial, path }) => {
    const which = serial === undefined ? `at ${path}` : `serial number ${serial}`;
    return printable(`${product} ${idHex(vendorId)}:${idHex(productId)} ${which}`, 80);
  });
  return words.join(', ');
};

export const idHex = (id: number): string => id.toString(16).toUpperCase().padStart(4, '0');
